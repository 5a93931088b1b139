import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { accessSchema } from '../../src/governance/access/access-file.js';
import { hashOfKey, makeKey } from '../../src/governance/access/access-key.js';
import { FilePrincipals } from '../../src/governance/access/file-principals.js';

/** The key of a name; always the same one. */
export const keyOf = (name: string): string => makeKey(() => createHash('sha256').update(name).digest());

/** Keys by name. */
export const keysOf = <N extends string>(...names: readonly N[]): Readonly<Record<N, string>> =>
  Object.fromEntries(names.map((name) => [name, keyOf(name)])) as Record<N, string>;

type Written = z.input<typeof accessSchema>['principals'];

/** The text of an access file. JSON is YAML. @param principals  with keys instead of their hashes */
export function accessText(principals: Written): string {
  const hashed = Object.entries(principals).map(
    ([name, principal]) =>
      [name, { ...principal, ...(principal.keys && { keys: principal.keys.map(hashOfKey) }) }] as const,
  );
  return JSON.stringify({ version: 1, principals: Object.fromEntries(hashed) });
}

/** The principals of an access file. @param written  with keys instead of their hashes */
export const principals = (written: Written): FilePrincipals =>
  new FilePrincipals(accessSchema.parse(JSON.parse(accessText(written))), []);
