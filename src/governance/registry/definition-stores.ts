import type { Config } from '../../config/config.js';
import { openPostgres } from '../../engines/postgres/open-postgres.js';
import { beginLocked, type PostgresConnection } from '../../engines/postgres/postgres-connection.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { GOVERNANCE_STORE, type GovernancePlace } from '../governance-store.js';
import {
  DefinitionStore,
  MAX_DEFINITIONS,
  type RegisteredDefinition,
  replacedBy,
  type StoredDefinition,
  storedDefinition,
} from './definition-store.port.js';

const BEGIN = beginLocked('governance');

const LAST = `SELECT DISTINCT ON (name, version) * FROM pith.tool_definition
  JOIN unnest($1::text[], $2::text[]) AS noted (name, version) USING (name, version)
  ORDER BY name, version, last_seen DESC, schema_hash`;
const NOTE = `INSERT INTO pith.tool_definition AS known
    (name, version, schema_hash, provider, facts, first_seen, last_seen)
  SELECT *, $6::bigint, $6::bigint FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  ON CONFLICT (name, version, schema_hash) DO UPDATE SET provider = excluded.provider, facts = excluded.facts,
    last_seen = greatest(known.last_seen, excluded.last_seen)`;
const HISTORY = `SELECT * FROM pith.tool_definition WHERE name = $1
  ORDER BY last_seen DESC, version, schema_hash LIMIT ${MAX_DEFINITIONS}`;

/** Definitions of tools in PostgreSQL, shared by all replicas. Only one process changes them at a time. */
export class PostgresDefinitionStore extends DefinitionStore {
  constructor(private readonly connection: PostgresConnection) {
    super();
  }

  note(definitions: readonly RegisteredDefinition[], at: number): Promise<StoredDefinition[]> {
    const columns = (['name', 'version', 'schemaHash', 'provider', 'facts'] as const).map((name) =>
      definitions.map((definition) => definition[name]),
    );
    return this.connection.write(BEGIN, async (run) => {
      const before = await run(LAST, columns.slice(0, 2));
      await run(NOTE, [...columns, at]);
      return replacedBy(definitions, before.map(storedDefinition));
    });
  }

  async history(name: string): Promise<StoredDefinition[]> {
    // PostgreSQL refuses NUL in texts. Names come from people.
    if (name.includes('\0')) return [];
    const rows = await this.connection.read((run) => run(HISTORY, [name]));
    return rows.map(storedDefinition);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** `facts` is JSON. Times are ms since the epoch. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS tool_definition (name TEXT NOT NULL, version TEXT NOT NULL, schema_hash TEXT NOT NULL,
    provider TEXT NOT NULL, facts TEXT NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
    PRIMARY KEY (name, version, schema_hash)) WITHOUT ROWID`;

const LAST_OF_ONE = `SELECT * FROM tool_definition WHERE name = ? AND version = ?
  ORDER BY last_seen DESC, schema_hash LIMIT 1`;
const NOTE_ONE = `INSERT INTO tool_definition (name, version, schema_hash, provider, facts, first_seen, last_seen)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET provider = excluded.provider, facts = excluded.facts,
    last_seen = max(last_seen, excluded.last_seen)`;

/** Definitions of tools in an SQLite file, which several processes may use at once. */
export class SqliteDefinitionStore extends DefinitionStore {
  private readonly store: StoreFile;

  constructor(place: GovernancePlace) {
    super();
    this.store = new StoreFile({ kind: GOVERNANCE_STORE, ...place, tables: TABLES });
  }

  note(definitions: readonly RegisteredDefinition[], at: number): Promise<StoredDefinition[]> {
    return this.store.write((database) => {
      const last = database.prepare(LAST_OF_ONE);
      const before = definitions.flatMap(({ name, version }) => last.get(name, version) ?? []);
      const note = database.prepare(NOTE_ONE);
      for (const { name, version, schemaHash, provider, facts } of definitions)
        note.run(name, version, schemaHash, provider, facts, at, at);
      return replacedBy(definitions, before.map(storedDefinition));
    });
  }

  history(name: string): Promise<StoredDefinition[]> {
    return this.store.read((database) => {
      // A store that is only read may be older than this table.
      if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'tool_definition'").get()) return [];
      return database
        .prepare(
          'SELECT * FROM tool_definition WHERE name = ? ORDER BY last_seen DESC, version, schema_hash LIMIT ?',
        )
        .all(name, MAX_DEFINITIONS)
        .map(storedDefinition);
    });
  }

  async close(): Promise<void> {
    this.store.close();
  }
}

/**
 * The store of tool definitions; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing; a look writes nothing at all
 */
export function openDefinitions(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'look',
): DefinitionStore {
  const isServer = use === 'server';
  if (config.backends.governanceDatabase !== '')
    return new PostgresDefinitionStore(openPostgres(config, isServer ? 'server' : 'command'));
  const { storeFile: file } = config.governance;
  return new SqliteDefinitionStore({ file, creates: isServer, isReadOnly: !isServer });
}

/** The store of a server; null without a governance file or database, so that no file is made. */
export function openServerDefinitions(
  config: Pick<Config, 'governance' | 'backends'>,
): DefinitionStore | null {
  const isGoverned = config.governance.file !== '' || config.backends.governanceDatabase !== '';
  return isGoverned ? openDefinitions(config, 'server') : null;
}
