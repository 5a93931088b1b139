import { BudgetExceededError } from '../../core/errors.js';
import type { SqlDatabase } from '../../sqlite/stores/sql-database.port.js';
import { IN_SPACE, spaceValues } from '../work-rows.js';
import type { WorkSpace } from '../work-space.js';

/** Max versions of all schemas of one project and environment. */
const MAX_SCHEMA_VERSIONS = 10_000;

/** Names a version of a schema. */
export interface SchemaRef {
  readonly name: string;
  readonly version: number;
}

/** One version of a schema. Versions of a name are 1, 2, 3, … and never change. */
export interface SchemaVersion extends SchemaRef {
  /** SHA-256 in hex over `text`. */
  readonly hash: string;
  /** Canonical JSON (RFC 8785). */
  readonly text: string;
  /** Empty for none. */
  readonly description: string;
  /** The principal that registered it. */
  readonly principal: string;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
}

/** A page of a list. */
interface SchemaPage {
  readonly offset: number;
  readonly limit: number;
}

const COLUMNS =
  'name, version, hash, schema AS text, description, principal, registered_at AS "registeredAt"';
const LATEST = `version = (SELECT max(version) FROM json_schema AS other
  WHERE ${IN_SPACE} AND other.name = json_schema.name)`;
const COUNT = `SELECT count(*) AS total, count(CASE WHEN name = :name THEN 1 END) AS versions
  FROM json_schema WHERE ${IN_SPACE}`;
const INSERT = `INSERT INTO json_schema
    (project, environment, name, version, hash, schema, description, principal, registered_at)
  VALUES (:projectId, :environment, :name, :version, :hash, :text, :description, :principal, :registeredAt)`;

/**
 * Stores JSON Schemas. Several processes may share one store; each method is atomic among them.
 * All methods throw BackendUnavailableError if the store can't be used.
 */
export class SchemaStore {
  constructor(private readonly database: SqlDatabase) {}

  /**
   * Adds the next version of a name.
   * @returns false if it is not the next one, because another call was faster
   * @throws BudgetExceededError `schemas_full`
   */
  add(place: WorkSpace, schema: SchemaVersion): Promise<boolean> {
    const space = spaceValues(place);
    const { name, version } = schema;
    return this.database.write(async (sql) => {
      const [row] = await sql(COUNT, { ...space, name });
      if (Number(row?.['versions']) !== version - 1) return false;
      if (Number(row?.['total']) >= MAX_SCHEMA_VERSIONS) throw schemasFull();
      await sql(INSERT, { ...space, ...schema });
      return true;
    });
  }

  /** @param version  null for the latest */
  async find(place: WorkSpace, name: string, version: number | null): Promise<SchemaVersion | null> {
    const which = version === null ? LATEST : 'version = :version';
    const statement = `SELECT ${COLUMNS} FROM json_schema WHERE ${IN_SPACE} AND name = :name AND ${which}`;
    const values = { ...spaceValues(place), name, ...(version === null ? {} : { version }) };
    const [found = null] = await this.database.read((sql) => sql<SchemaVersion>(statement, values));
    return found;
  }

  /** The latest versions, by name. */
  list(place: WorkSpace, page: SchemaPage): Promise<SchemaVersion[]> {
    const statement = `SELECT ${COLUMNS} FROM json_schema WHERE ${IN_SPACE} AND ${LATEST}
      ORDER BY name LIMIT :limit OFFSET :offset`;
    return this.database.read((sql) => sql<SchemaVersion>(statement, { ...spaceValues(place), ...page }));
  }
}

function schemasFull(): BudgetExceededError {
  return new BudgetExceededError(
    `This project has ${MAX_SCHEMA_VERSIONS} versions of schemas, the most it can.`,
    {
      reason: 'schemas_full',
      hint: 'Use a schema that is registered. The operator can move the work store away to start a new one.',
    },
  );
}
