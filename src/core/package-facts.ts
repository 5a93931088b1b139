import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { codeIn } from './errors.js';

function findRoot(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    try {
      readFileSync(join(at, 'config', 'hosts.json'));
      return at;
    } catch {
      // The package root is further up.
    }
  }
  throw new Error('the package is incomplete: config/hosts.json is missing');
}

/** The folder with package.json, config and docs, both for the sources and for the build. */
export const PACKAGE_ROOT = findRoot(__dirname);

/** The version in package.json. */
export const VERSION = String(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version);

/** Name of the skill, and of its folder: hosts require that they are equal. */
export const SKILL_NAME = 'pith';

/** True when a package is installed where Pith would load it from. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(join(PACKAGE_ROOT, 'package.json')).resolve(name);
    return true;
  } catch (error) {
    // A package that only supports import() gives another error code, and is installed.
    return codeIn(error) !== 'MODULE_NOT_FOUND';
  }
}
