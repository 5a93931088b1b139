import { beginLocked, type PostgresConnection } from '../postgres/postgres-connection.js';
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
