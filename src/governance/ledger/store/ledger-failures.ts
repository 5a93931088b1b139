import { BackendUnavailableError, PithError } from '../../../core/errors.js';
import { isBusy, isDamaged, messageOf } from '../../../sqlite/open-database.js';
import type { LedgerFailures } from './continue-ledger.js';

/** There is no ledger at this path. */
export function ledgerMissing(file: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`There is no ledger at ${file}.`, {
    serverFile: file,
    reason: 'ledger_missing',
    hint: 'It is beside the index of its server: name that index with --index, or the ledger with --file. Servers write a ledger over HTTP, and over STDIO with PITH_LEDGER=on.',
    cause,
  });
}

/** The ledger is not what this server wrote; nothing is appended to it. */
function ledgerDamaged(file: string, why: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger at ${file} is damaged: ${why}.`, {
    serverFile: file,
    reason: 'ledger_damaged',
    hint: `Keep the file for analysis and run: pith ledger verify --file "${file}". To start a new ledger, move it away and restart the server.`,
    cause,
  });
}

/** The ledger belongs to another server secret. */
function ledgerOfAnotherSecret(file: string): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger at ${file} was written with another server secret.`, {
    serverFile: file,
    reason: 'ledger_other_secret',
    hint: 'Set PITH_SECRET to the secret of this ledger, or choose another file with PITH_LEDGER_FILE.',
  });
}

/** Failures of the ledger in this file. */
export const failuresOf = (file: string): LedgerFailures => ({
  damaged: (why) => ledgerDamaged(file, why),
  otherSecret: () => ledgerOfAnotherSecret(file),
});

/** The file is not a ledger, or one of a later version. */
export function notALedger(file: string, why: string, cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`${file} is not a ledger that this version can use: ${why}.`, {
    serverFile: file,
    reason: 'ledger_incompatible',
    hint: 'Choose another file with PITH_LEDGER_FILE.',
    cause,
  });
}

function ledgerBusy(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger at ${file} is locked by another program.`, {
    serverFile: file,
    reason: 'ledger_busy',
    hint: 'Try again in a moment. If it stays locked, find the program that has the file open.',
    cause,
  });
}

function ledgerNotWritable(file: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(`The ledger at ${file} can't be written: ${messageOf(cause)}.`, {
    serverFile: file,
    reason: 'ledger_not_writable',
    hint: 'Free disk space, or make the folder writable for the user of the server. The lines so far are kept.',
    cause,
  });
}

const NOT_WRITABLE =
  /disk is full|disk i\/o|readonly|read-only|unable to open|EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOSPC/i;

/** Explains why the ledger can't be used. Unknown errors are returned as they are. */
export function ledgerFailure(file: string, cause: unknown): unknown {
  if (cause instanceof PithError) return cause;
  if (isBusy(cause)) return ledgerBusy(file, cause);
  if (NOT_WRITABLE.test(messageOf(cause))) return ledgerNotWritable(file, cause);
  if (isDamaged(cause) || /UNIQUE constraint/i.test(messageOf(cause)))
    return ledgerDamaged(file, messageOf(cause), cause);
  return cause;
}
