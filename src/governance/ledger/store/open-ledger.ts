import type { Config } from '../../../config/config.js';
import { InvalidConfigurationError } from '../../../config/invalid-configuration.js';
import { databasePlace } from '../../../config/ledger-place-of.js';
import { LASTING_SECRET_HINT, secretFileOf, type ServerSecret } from '../../../config/server-secret.js';
import { BackendUnavailableError } from '../../../core/errors.js';
import { openPostgres } from '../../../engines/postgres/open-postgres.js';
import { checkExists } from '../../../sqlite/stores/sqlite-database.js';
import { Ledger } from '../ledger.js';
import { type LedgerKeys, ledgerKeys } from '../ledger-chain.js';
import { LEDGER_KIND } from './ledger-failures.js';
import type { LedgerStore } from './ledger-store.js';
import { ledgerThread } from './ledger-thread.js';
import { LocalLedgerStore } from './local-ledger-store.js';
import { openLedgerToRead } from './open-ledger-file.js';
import { PostgresLedgerStore } from './postgres-ledger-store.js';

/** @throws BackendUnavailableError `ledger_secret_missing` */
function keysToRead({ secret, isLasting }: ServerSecret, { index }: Pick<Config, 'index'>): LedgerKeys {
  if (isLasting) return ledgerKeys(secret);
  const file = secretFileOf(index.file);
  throw new BackendUnavailableError(
    `The ledger can't be read without the secret of its server: PITH_SECRET is not set, and there is no file ${file}.`,
    {
      reason: 'ledger_secret_missing',
      hint: 'Name the index of the server with --index, or set PITH_SECRET to the secret of the server.',
    },
  );
}

/** Lines that are signed with a secret of this process could not be verified after a restart. */
function lastingKeys({ secret, isLasting }: ServerSecret): LedgerKeys {
  if (isLasting) return ledgerKeys(secret);
  throw new InvalidConfigurationError([
    `The run ledger needs a server secret that lasts: ${LASTING_SECRET_HINT}`,
  ]);
}

type LedgerSettings = Pick<Config, 'backends' | 'ledger'>;

const isInDatabase = ({ backends }: LedgerSettings): boolean => backends.governanceDatabase !== '';

function databaseStore(config: LedgerSettings, use: 'server' | 'command', keys: LedgerKeys): LedgerStore {
  const connection = openPostgres(config, use);
  return new PostgresLedgerStore({
    connection,
    keys,
    name: databasePlace(config.backends.governanceDatabase),
  });
}

function fileStore(file: string, keys: LedgerKeys): LedgerStore {
  const store = ledgerThread(file, keys);
  // Starts the thread and opens the file, so that the first line need not wait. If it can't be opened, each append says so.
  store.head().catch(() => undefined);
  return store;
}

/**
 * Opens the ledger for a server, in the database or in a thread of its own, and creates it if missing. `head` resolves
 * when it is open, and fails if it can't be used.
 * @param config  with the final path of the ledger
 * @param onFailure  called when batched lines can't be stored; they are kept and tried again
 * @throws InvalidConfigurationError without a lasting secret
 */
export function openLedger(
  config: LedgerSettings,
  secret: ServerSecret,
  onFailure: (error: unknown) => void,
): Ledger {
  const keys = lastingKeys(secret);
  const store = isInDatabase(config)
    ? databaseStore(config, 'server', keys)
    : fileStore(config.ledger.file, keys);
  return new Ledger(store, { now: Date.now, onFailure });
}

/**
 * Opens the ledger for commands, to read in this thread.
 * @throws BackendUnavailableError `ledger_missing`; `ledger_secret_missing` without a lasting secret
 */
export function openLedgerForReading(
  config: LedgerSettings & Pick<Config, 'index'>,
  secret: ServerSecret,
): Ledger {
  if (!isInDatabase(config)) checkExists({ kind: LEDGER_KIND, file: config.ledger.file });
  const keys = keysToRead(secret, config);
  const place = { file: config.ledger.file, keys, open: openLedgerToRead, checksFile: true };
  const store = isInDatabase(config) ? databaseStore(config, 'command', keys) : new LocalLedgerStore(place);
  return new Ledger(store, { now: Date.now, onFailure: () => undefined });
}
