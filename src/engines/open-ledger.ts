import type { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { ServerSecret } from '../config/server-secret.js';
import type { Ledger } from '../core/ports/ledger.port.js';
import { type LedgerKeys, ledgerKeys } from '../governance/ledger/ledger-keys.js';
import { BatchedLedger } from './ledger/batched-ledger.js';
import { LedgerThread } from './sqlite/ledger/ledger-thread.js';
import { LocalLedgerStore } from './sqlite/ledger/local-ledger-store.js';
import { openLedgerToRead } from './sqlite/ledger/open-ledger-file.js';

/** Lines that are signed with a secret of this process could not be verified after a restart. */
function lastingKeys({ secret, isLasting }: ServerSecret): LedgerKeys {
  if (isLasting) return ledgerKeys(secret);
  throw new InvalidConfigurationError([
    'The run ledger needs a server secret that lasts: set PITH_SECRET, or index documents first, which creates a secret file beside the index.',
  ]);
}

/**
 * Opens the ledger for a server, in a thread of its own, and creates the file if missing. `head` resolves when it is
 * open, and fails if it can't be used.
 * @param config  with the final path of the ledger
 * @param onFailure  called when batched lines can't be stored; they are kept and tried again
 * @throws InvalidConfigurationError without a lasting secret
 */
export function openLedger(
  config: Pick<Config, 'ledger'>,
  secret: ServerSecret,
  onFailure: (error: unknown) => void,
): Ledger {
  const thread = new LedgerThread(config.ledger.file, lastingKeys(secret));
  thread.open();
  return new BatchedLedger(thread, { now: Date.now, onFailure });
}

/** Opens the ledger for commands, to read in this thread. @throws InvalidConfigurationError without a lasting secret */
export function openLedgerForReading(config: Pick<Config, 'ledger'>, secret: ServerSecret): Ledger {
  const keys = lastingKeys(secret);
  const place = { file: config.ledger.file, keys, open: openLedgerToRead, checksFile: true };
  return new BatchedLedger(new LocalLedgerStore(place), { now: Date.now, onFailure: () => undefined });
}
