import { BackendUnavailableError, PithError } from '../../../core/errors.js';
import { isBusy, messageOf } from '../open-database.js';

/** No server has stored anything yet, or the path is wrong. */
export function governanceStoreMissing(file: string): BackendUnavailableError {
  return new BackendUnavailableError(`There is no governance store at ${file}.`, {
    reason: 'governance_store_missing',
    hint: 'Servers create it when they first need it. If it is elsewhere, set PITH_GOVERNANCE_STORE_FILE or --index.',
  });
}

/** The process is stopping. */
export function governanceStoreClosed(): BackendUnavailableError {
  return new BackendUnavailableError('The governance store is closed.', {
    reason: 'governance_store_closed',
    hint: 'The server is stopping. Send the call to another server, or try again.',
  });
}

/** The file belongs to another program, to a later version, or is damaged. */
export function notAGovernanceStore(file: string, why: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`${file} is not a governance store that this version can use: ${why}.`, {
    reason: 'governance_store_incompatible',
    hint: 'Choose another file with PITH_GOVERNANCE_STORE_FILE, or move this one away.',
    cause,
  });
}

function storeBusy(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The governance store at ${file} is locked by another program.`, {
    reason: 'governance_store_busy',
    hint: 'Try again in a moment. If it stays locked, find the program that has the file open.',
    cause,
  });
}

function storeNotWritable(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(
    `The governance store at ${file} can't be written: ${messageOf(cause)}.`,
    {
      reason: 'governance_store_not_writable',
      hint: 'Free disk space, make the folder writable for this user, or set PITH_GOVERNANCE_STORE_FILE.',
      cause,
    },
  );
}

const NOT_WRITABLE =
  /disk is full|disk i\/o|readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOSPC|EISDIR/i;
const DAMAGED = /malformed|not a database|corrupt/i;

/** Explains why the store can't be used. Unknown errors are returned as they are. */
export function governanceStoreFailure(file: string, cause: unknown): unknown {
  if (cause instanceof PithError) return cause;
  if (isBusy(cause)) return storeBusy(file, cause);
  if (NOT_WRITABLE.test(messageOf(cause))) return storeNotWritable(file, cause);
  if (DAMAGED.test(messageOf(cause))) return notAGovernanceStore(file, messageOf(cause), cause);
  return cause;
}
