import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { type DatabaseFacts, readDatabaseFacts } from './database-facts.js';
import { PostgresConnection } from './postgres-connection.js';
import { prepareTables, requireTables } from './postgres-schema.js';

/** True if the library can read the URL: a `/`, `#` or `%` in a password has to be encoded. */
function isReadableDatabase(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, username, password } = new URL(url);
  try {
    decodeURIComponent(username + password);
    return hostname !== '';
  } catch {
    // A lone % is not an encoded character.
    return false;
  }
}

const PREPARE = { server: prepareTables, command: requireTables, check: async () => undefined };

/**
 * The connection to the governance database; connects when it is needed.
 * @param use  a server creates the tables if missing, a command needs them, a check does neither
 * @throws InvalidConfigurationError
 */
export function openPostgres(
  { backends: { governanceDatabase: url, timeoutMs } }: Pick<Config, 'backends'>,
  use: keyof typeof PREPARE,
): PostgresConnection {
  if (!isReadableDatabase(url))
    throw new InvalidConfigurationError([
      'PITH_GOVERNANCE_DATABASE is not a valid URL. Percent-encode every character in its password that is not a letter or digit.',
    ]);
  return new PostgresConnection({ url, timeoutMs, prepare: PREPARE[use] });
}

/** Reads the state of the governance database. @throws InvalidConfigurationError, BackendUnavailableError */
export async function inspectDatabase(config: Pick<Config, 'backends'>): Promise<DatabaseFacts> {
  const connection = openPostgres(config, 'check');
  try {
    return await connection.read(readDatabaseFacts);
  } finally {
    await connection.close();
  }
}
