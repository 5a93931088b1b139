import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

function findRoot(folder: string): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    try {
      readFileSync(join(at, 'config', 'hosts.json'));
      return at;
    } catch {
      // Not here: the package's root is further up.
    }
  }
  throw new Error('the package is incomplete: config/hosts.json is missing');
}

/** The folder that holds package.json, config and docs, from the sources and from the build alike. */
export const PACKAGE_ROOT = findRoot(__dirname);

/** The version that package.json names. */
export const VERSION = String(JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')).version);

/** Whether a package is installed where Pith would load it from. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(join(PACKAGE_ROOT, 'package.json')).resolve(name);
    return true;
  } catch (error) {
    // A package for import() alone can't be resolved either, but with another code.
    return !(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND');
  }
}
