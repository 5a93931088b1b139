import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresPool, type RunSql } from './postgres-pool.js';
import { hasTables, prepareTables, requireTables, WORK_TABLE_NAMES } from './postgres-tables.js';

/** The state of a governance database, for the role that asks. */
interface DatabaseFacts {
  /** Of PostgreSQL, such as `15.8`. */
  readonly version: string;
  /** False if this version is too old. */
  readonly isSupported: boolean;
  /** True for a standby, or if the role may only read. */
  readonly isReadOnly: boolean;
  readonly hasTables: boolean;
  /** Rights that a server needs and this role lacks, such as `INSERT on pith.ledger_line`. */
  readonly missingRights: readonly string[];
}

const OLDEST_SUPPORTED = 130_000;

const SERVER = `SELECT current_setting('server_version') AS version,
  current_setting('server_version_num')::int >= ${OLDEST_SUPPORTED} AS is_supported,
  current_setting('transaction_read_only') = 'on' AS is_read_only,
  has_database_privilege(current_database(), 'CREATE') AS creates`;

type Rights = Readonly<Record<string, readonly string[]>>;

/** Rights that a server needs for the ledger, approvals and definitions. */
const GOVERNANCE_RIGHTS: Rights = {
  'pith.ledger_line': ['SELECT', 'INSERT'],
  'pith.ledger_head': ['SELECT', 'INSERT', 'UPDATE'],
  'pith.approval': ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  'pith.provider_tool': ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  'pith.tool_definition': ['SELECT', 'INSERT', 'UPDATE'],
  'pith.remove_ledger_lines': ['EXECUTE'],
};

/** Rights that a server needs for what the tools of MCP_DOMAINS store. */
const WORK_RIGHTS: Rights = Object.fromEntries(
  WORK_TABLE_NAMES.map((name) => [`pith.${name}`, ['SELECT', 'INSERT', 'UPDATE', 'DELETE']]),
);

/** The settings that name a database. */
type DatabaseSetting = 'governanceDatabase' | 'database';

const neededRights = ({ backends }: Pick<Config, 'backends'>, setting: DatabaseSetting): Rights => ({
  'pith.version': ['SELECT'],
  ...(backends[setting] === backends.governanceDatabase ? GOVERNANCE_RIGHTS : {}),
  ...(backends[setting] === backends.database ? WORK_RIGHTS : {}),
});

const LACKED = `SELECT privilege || ' on ' || object AS missing
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS needed (object, privilege, place)
  WHERE NOT CASE WHEN privilege = 'EXECUTE' THEN has_function_privilege(object || '(bigint)', privilege)
    ELSE has_table_privilege(object, privilege) END
  ORDER BY place`;

async function missingRights(run: RunSql, rights: Rights): Promise<string[]> {
  const needed = Object.entries(rights).flatMap(([object, list]) =>
    list.map((right) => [object, right] as const),
  );
  const rows = await run(LACKED, [needed.map(([object]) => object), needed.map(([, right]) => right)]);
  return rows.map(({ missing }) => String(missing));
}

/** @throws BackendUnavailableError as `hasTables`; PostgresRefusal without rights on the schema */
async function readDatabaseFacts(run: RunSql, rights: Rights): Promise<DatabaseFacts> {
  const [server] = await run(SERVER);
  const exists = await hasTables(run);
  const lacked = exists ? await missingRights(run, rights) : [];
  return {
    version: String(server?.['version']),
    isSupported: server?.['is_supported'] === true,
    isReadOnly: server?.['is_read_only'] === true,
    hasTables: exists,
    missingRights: exists || server?.['creates'] === true ? lacked : ['CREATE on the database'],
  };
}

/** True if the libraries of PostgreSQL and Redis can read the URL: a `/`, `#` or `%` in a password has to be encoded. */
export function isReadableUrl(url: string): boolean {
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

/** One for each database and use. */
const pools = new Map<string, PostgresPool>();

function poolFor(url: string, timeoutMs: number, use: keyof typeof PREPARE): PostgresPool {
  const key = JSON.stringify([url, timeoutMs, use]);
  const pool = pools.get(key) ?? new PostgresPool({ url, timeoutMs, prepare: PREPARE[use] });
  pools.set(key, pool);
  return pool;
}

/**
 * A connection of a store to the governance database, or to that of work. Stores of one database share a pool.
 * @param use  a server creates the tables if missing, a command needs them, a check does neither
 * @throws InvalidConfigurationError
 */
export function openPostgres(
  { backends }: Pick<Config, 'backends'>,
  use: keyof typeof PREPARE,
  setting: DatabaseSetting = 'governanceDatabase',
): PostgresConnection {
  const { [setting]: url, timeoutMs } = backends;
  if (!isReadableUrl(url))
    throw new InvalidConfigurationError([
      'PITH_DATABASE or PITH_GOVERNANCE_DATABASE is not a valid URL. Percent-encode every character in its password that is not a letter or digit.',
    ]);
  return new PostgresConnection(poolFor(url, timeoutMs, use));
}

/** Reads the state of a database. @throws InvalidConfigurationError, BackendUnavailableError */
export async function inspectDatabase(
  config: Pick<Config, 'backends'>,
  setting: DatabaseSetting,
): Promise<DatabaseFacts> {
  const connection = openPostgres(config, 'check', setting);
  try {
    return await connection.read((run) => readDatabaseFacts(run, neededRights(config, setting)));
  } finally {
    await connection.close();
  }
}
