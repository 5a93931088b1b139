import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { UserPlace } from '../../config/data-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Host, HostServer } from './hosts.js';
import { hasEntry, mergeHostFile } from './merge-host-file.js';

/** The result of writing a host's file. */
export interface WrittenFile {
  readonly file: string;
  /** Path of the copy of the old file; null if there was none or it did not change. */
  readonly backup: string | null;
  readonly isChanged: boolean;
  /** True if it already had an entry for our server. */
  readonly isUpdate: boolean;
}

function notWritable(file: string, cause: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${file} can't be written.`, {
    reason: 'host_file_not_writable',
    hint: 'Check that you have write permission, or add the entry by hand.',
    cause,
  });
}

function checkFolder(file: string, host: Host): void {
  if (existsSync(dirname(file))) return;
  throw new InvalidArgumentError(
    `The folder ${dirname(file)} does not exist, so ${host.title} does not seem to be installed.`,
    {
      reason: 'host_missing',
      hint: 'Start the host once, then try again; or add the entry by hand.',
    },
  );
}

/** Replaces a file atomically: readers see either the old or the new content. */
function replace(file: string, text: string, mode: number): void {
  const temporary = `${file}.pith-${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' });
    const handle = openSync(temporary, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Adds or updates our server, and stores a backup next to the file. @param now  the time in the name of the backup
 * @throws InvalidArgumentError `host_missing`, `host_file_unreadable`, `host_file_not_writable`; nothing is changed
 */
export function writeHostFile(
  host: Host,
  server: HostServer,
  { place, now }: { readonly place: UserPlace; readonly now: Date },
): WrittenFile {
  const named = host.file(place);
  checkFolder(named, host);
  const isThere = existsSync(named);
  // Dotfiles are often symlinks; the target is replaced and the link is kept.
  const file = isThere ? realpathSync(named) : named;
  const before = isThere ? readFileSync(file, 'utf8') : '';
  const text = mergeHostFile(before, host, server);
  const isUpdate = hasEntry(before, host);
  if (text === before) return { file, backup: null, isChanged: false, isUpdate };
  const backup = isThere ? `${file}.before-pith-${now.toISOString().replace(/[:.]/gu, '-')}` : null;
  try {
    if (backup) copyFileSync(file, backup, constants.COPYFILE_EXCL);
    replace(file, text, isThere ? statSync(file).mode & 0o777 : 0o600);
  } catch (error) {
    throw notWritable(file, error);
  }
  return { file, backup, isChanged: true, isUpdate };
}
