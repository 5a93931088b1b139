import { constants, copyFileSync, existsSync, fsyncSync, openSync, closeSync, readFileSync } from 'node:fs';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { UserPlace } from '../../config/data-folder.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Host, HostServer } from './hosts.js';
import { hasEntry, mergeHostFile } from './merge-host-file.js';

/** What became of a host's file. */
export interface WrittenFile {
  readonly file: string;
  /** What it held before; null where it was not there, or said it already. */
  readonly backup: string | null;
  readonly isChanged: boolean;
  /** Whether it had an entry for our server. */
  readonly isUpdate: boolean;
}

function notWritable(file: string, cause: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`${file} can't be written.`, {
    reason: 'host_file_not_writable',
    hint: 'Check that you have write permission, or add the server by hand; `pith doctor` prints what to add.',
    cause,
  });
}

function checkFolder(file: string, host: Host): void {
  if (existsSync(dirname(file))) return;
  throw new InvalidArgumentError(
    `The folder ${dirname(file)} does not exist, so ${host.title} does not seem to be installed.`,
    {
      reason: 'host_missing',
      hint: 'Start the host once, then try again; or add the server by hand.',
    },
  );
}

/** Replaces a file in one step: whoever reads it sees all of the old or all of the new. */
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
 * Adds or updates our server in the file of a host, which keeps all else that it holds; what it held before is beside it.
 * @param now  names the backup
 * @throws InvalidArgumentError `host_missing`, `host_file_unreadable`, `host_file_not_writable`; the file is unchanged then
 */
export function writeHostFile(
  host: Host,
  server: HostServer,
  { place, now }: { readonly place: UserPlace; readonly now: Date },
): WrittenFile {
  const named = host.file(place);
  checkFolder(named, host);
  const isThere = existsSync(named);
  // Dotfiles are often links; the link stays, and what it points to is replaced.
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
