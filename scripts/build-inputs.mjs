// One hash of all inputs of a build.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The build writes this file last. It contains the hash of the inputs. */
export const STAMP = join('dist', 'inputs.sha256');

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'nest-cli.json'];
const FOLDERS = ['src', 'scripts'];

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Depends on names and contents only, not on times. */
export function inputsHash(root) {
  const below = FOLDERS.flatMap((folder) => filesBelow(join(root, folder)));
  const files = [...FILES.map((file) => join(root, file)), ...below].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
