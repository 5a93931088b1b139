// The conformance suite imports fs.globSync, which Node 20 does not have, for a command that is not used here. This hook
// gives the suite a module `fs` with such an export. From Node 22 on, it does nothing.
import * as fs from 'node:fs';
import { register } from 'node:module';

const MODULE = `export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() { throw new Error('fs.globSync needs Node 22'); }`;

const HOOK = `export function resolve(specifier, context, next) {
  if (specifier !== 'fs' || !context.parentURL?.includes('/@modelcontextprotocol/conformance/')) return next(specifier, context);
  return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(MODULE)}`)}, shortCircuit: true };
}`;

if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
