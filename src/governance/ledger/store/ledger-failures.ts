import { BackendUnavailableError, PithError } from '../../../core/errors.js';
import { isDamaged, messageOf } from '../../../sqlite/open-database.js';
import { storeFailure, type StoreKind } from '../../../sqlite/stores/store-failures.js';
import type { LedgerFailures } from './continue-ledger.js';

/** Files of ledgers. Their application id is "Pitl". */
export const LEDGER_KIND: StoreKind = {
  id: 0x5069746c,
  version: 1,
  name: 'ledger',
  reason: 'ledger',
  setting: 'PITH_LEDGER_FILE',
  missingHint:
    'It is beside the index of its server: name that index with --index, or the ledger with --file. Servers write a ledger over HTTP, and over STDIO with PITH_LEDGER=on.',
};

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

/** Explains why the ledger can't be used. Unknown errors are returned as they are. */
export function ledgerFailure(file: string, cause: unknown): unknown {
  if (isDamaged(cause) || (!(cause instanceof PithError) && /UNIQUE constraint/i.test(messageOf(cause))))
    return ledgerDamaged(file, messageOf(cause), cause);
  return storeFailure(LEDGER_KIND, file, cause);
}
