import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { givenPath } from '../../config/given-path.js';
import { InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';

const isWithin = (folder: string, root: string): boolean =>
  folder === root || folder.startsWith(root.endsWith(sep) ? root : root + sep);

const GIVE_PATH = 'Give the absolute path of an allowed folder.';

/** One answer for folders outside, missing folders and files, so that nobody learns what exists. */
function notAllowed(): ScopeViolationError {
  return new ScopeViolationError('The folder does not exist within the folders that may be indexed.', {
    reason: 'folder_not_allowed',
    hint: `${GIVE_PATH} The operator allows folders with PITH_INGEST_ROOTS.`,
  });
}

const realOrNull = (path: string): Promise<string | null> => realpath(path).catch(() => null);

/**
 * Resolves a folder that may be indexed.
 * @param roots  absolute paths; they and all folders below them are allowed
 * @returns its real path, within the real path of a root
 * @throws ScopeViolationError `folder_not_allowed`; InvalidArgumentError `not_a_path`
 */
export async function allowedFolder(given: string, roots: readonly string[]): Promise<string> {
  const { path: folder, problem } = givenPath(given);
  if (problem !== null)
    throw new InvalidArgumentError(`${problem}.`, { reason: 'not_a_path', hint: GIVE_PATH });
  const wanted = resolve(folder);
  const found = await Promise.all(roots.map(realOrNull));
  const realRoots = found.filter((root) => root !== null);
  const named = [...roots.map((root) => resolve(root)), ...realRoots];
  // Nothing outside is looked up on the disk: the time to answer would tell if it exists.
  if (!isAbsolute(folder) || !named.some((root) => isWithin(wanted, root))) throw notAllowed();
  const real = await realOrNull(wanted);
  if (real === null || !realRoots.some((root) => isWithin(real, root))) throw notAllowed();
  const facts = await stat(real).catch(() => null);
  if (!facts?.isDirectory()) throw notAllowed();
  return real;
}
