import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { thisUser, userDataFolder } from '../config/data-folder.js';
import { IndexConfig } from '../config/settings/index.config.js';
import { InvalidArgumentError } from '../core/errors.js';

const HASH_CHARS = 8;
const MAX_NAME_CHARS = 40;

/** The real path of a folder. @throws InvalidArgumentError `folder_missing` */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new InvalidArgumentError(`The folder ${resolve(folder)} does not exist.`, {
      reason: 'folder_missing',
      hint: 'Set --docs to the folder with your documents. A relative path starts at the working directory.',
      cause,
    });
  }
}

/**
 * The index file of a folder that is served without an index being named: one for each folder, in the user's data
 * folder. Hosts choose the working directory, so an index there would be found by one of them only.
 */
function indexFileOf(folder: string, dataFolder: string): string {
  const name =
    basename(folder)
      .replace(/[^\w.-]+/gu, '_')
      .slice(0, MAX_NAME_CHARS) || 'documents';
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, HASH_CHARS);
  return join(dataFolder, `${name}-${hash}.sqlite`);
}

/** Points a server to the index of the folder that it serves, unless an index is named as well. */
export function chooseIndex({ index }: Config, folder: string): void {
  const isChosen = index.file !== resolve(new IndexConfig().file);
  if (!isChosen) index.file = indexFileOf(folder, userDataFolder(thisUser()));
}
