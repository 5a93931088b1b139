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

/** `facts` is JSON. Times are ms since the epoch. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS tool_definition (name TEXT NOT NULL, version TEXT NOT NULL, schema_hash TEXT NOT NULL,
    provider TEXT NOT NULL, facts TEXT NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
    PRIMARY KEY (name, version, schema_hash)) WITHOUT ROWID`;

const LAST = `SELECT * FROM tool_definition WHERE name = ? AND version = ?
  ORDER BY last_seen DESC, schema_hash LIMIT 1`;
const NOTE = `INSERT INTO tool_definition (name, version, schema_hash, provider, facts, first_seen, last_seen)
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
      const last = database.prepare(LAST);
      const before = definitions.flatMap(({ name, version }) => last.get(name, version) ?? []);
      const note = database.prepare(NOTE);
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
