import { isOneOf, listValues, type SqlDatabase } from '../../sqlite/stores/sql-database.port.js';

/** A definition of a tool, as a server registered it. A tool has one for each version and schema that it ever had. */
export interface RegisteredDefinition {
  /** Canonical name. */
  readonly name: string;
  readonly version: string;
  /** Hash of both schemas. */
  readonly schemaHash: string;
  /** `pith`, or the name of a provider. */
  readonly provider: string;
  /** All other facts, as canonical JSON: texts, schemas, safety, permission, capabilities, approval, budget and so on. */
  readonly facts: string;
}

/** A definition with the first and last time that a server noted it, in milliseconds since the epoch. */
export interface StoredDefinition extends RegisteredDefinition {
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** Max definitions of one tool that are read. */
const MAX_DEFINITIONS = 100;

const COLUMNS = `name, version, schema_hash AS "schemaHash", provider, facts, first_seen AS "firstSeen",
  last_seen AS "lastSeen"`;

/**
 * The definitions whose schema has changed without a new version.
 * @param before  the last definition of each name and version, at most one
 */
function replacedBy(
  noted: readonly RegisteredDefinition[],
  before: readonly StoredDefinition[],
): StoredDefinition[] {
  const now = new Map(noted.map((each) => [each.name, each]));
  return before
    .filter(({ name, schemaHash }) => now.get(name)?.schemaHash !== schemaHash)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The definitions that tools had on servers, with times. Several processes may share one database; each method is atomic
 * among them. All methods throw BackendUnavailableError if the database can't be used.
 */
export class DefinitionStore {
  constructor(private readonly database: SqlDatabase) {}

  /**
   * Adds new definitions, and updates facts and time of the others.
   * @param definitions  with different names
   * @param at  milliseconds since the epoch
   * @returns the earlier definitions of tools whose schema has changed without a new version, by name
   */
  async note(definitions: readonly RegisteredDefinition[], at: number): Promise<StoredDefinition[]> {
    const versions = new Map(definitions.map(({ name, version }) => [name, version]));
    const { condition, values: names } = isOneOf('name', [...versions.keys()]);
    const { text, values } = listValues(
      definitions.map(({ name, version, schemaHash, provider, facts }) => ({
        ...{ name, version, hash: schemaHash, provider, facts, first: at, last: at },
      })),
    );
    return this.database.write(async (sql) => {
      if (definitions.length === 0) return [];
      const known = await sql<StoredDefinition>(
        `SELECT ${COLUMNS} FROM tool_definition WHERE ${condition} ORDER BY last_seen, schema_hash DESC`,
        names,
      );
      const before = known.filter(({ name, version }) => versions.get(name) === version);
      await sql(
        `INSERT INTO tool_definition AS known
           (name, version, schema_hash, provider, facts, first_seen, last_seen) VALUES ${text}
         ON CONFLICT (name, version, schema_hash) DO UPDATE SET provider = excluded.provider, facts = excluded.facts,
           last_seen = CASE WHEN known.last_seen > excluded.last_seen THEN known.last_seen ELSE excluded.last_seen END`,
        values,
      );
      // The last one of each name stays.
      return replacedBy(definitions, [...new Map(before.map((each) => [each.name, each])).values()]);
    });
  }

  /** The definitions of one tool, the last seen first, then by version and schema hash; at most `MAX_DEFINITIONS`. */
  history(name: string): Promise<StoredDefinition[]> {
    const statement = `SELECT ${COLUMNS} FROM tool_definition WHERE name = :name
      ORDER BY last_seen DESC, version, schema_hash LIMIT ${MAX_DEFINITIONS}`;
    return this.database.read((sql) => sql<StoredDefinition>(statement, { name }));
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
