import { BudgetExceededError } from '../../core/errors.js';
import type { Database, Row } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { WORK_STORE, type WorkPlace, type WorkSpace } from '../work-space.js';

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

/** `schema` is JSON. Times are ms since the epoch. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS json_schema (project TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL,
    version INTEGER NOT NULL, hash TEXT NOT NULL, schema TEXT NOT NULL, description TEXT NOT NULL,
    principal TEXT NOT NULL, registered_at INTEGER NOT NULL,
    PRIMARY KEY (project, environment, name, version)) WITHOUT ROWID`;

const HERE = 'project = :projectId AND environment = :environment';
const LATEST = `version = (SELECT max(version) FROM json_schema AS other
  WHERE ${HERE} AND other.name = json_schema.name)`;
const INSERT = `INSERT INTO json_schema
    (project, environment, name, version, hash, schema, description, principal, registered_at)
  VALUES (:projectId, :environment, :name, :version, :hash, :text, :description, :principal, :registeredAt)`;

function versionOf(row: Row): SchemaVersion {
  return {
    name: String(row['name']),
    version: Number(row['version']),
    hash: String(row['hash']),
    text: String(row['schema']),
    description: String(row['description']),
    principal: String(row['principal']),
    registeredAt: Number(row['registered_at']),
  };
}

const valuesOf = ({ projectId, environment }: WorkSpace) => ({ projectId, environment });

function count(database: Database, where: string, values: Record<string, string>): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM json_schema WHERE ${where}`).get(values)?.['n']);
}

/**
 * Stores JSON Schemas. Several processes may share one store; each method is atomic among them.
 * All methods throw BackendUnavailableError if the store can't be used.
 */
export class SchemaStore {
  private readonly store: StoreFile;

  constructor(place: WorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...place, tables: TABLES });
  }

  /**
   * Adds the next version of a name.
   * @returns false if it is not the next one, because another call was faster
   * @throws BudgetExceededError `schemas_full`
   */
  add(place: WorkSpace, schema: SchemaVersion): Promise<boolean> {
    const here = valuesOf(place);
    return this.store.write((database) => {
      const { name, version } = schema;
      if (count(database, `${HERE} AND name = :name`, { ...here, name }) !== version - 1) return false;
      if (count(database, HERE, here) >= MAX_SCHEMA_VERSIONS) throw schemasFull();
      database.prepare(INSERT).run({ ...here, ...schema });
      return true;
    });
  }

  /** @param version  null for the latest */
  find(place: WorkSpace, name: string, version: number | null): Promise<SchemaVersion | null> {
    const which = version === null ? LATEST : 'version = :version';
    const values = { ...valuesOf(place), name, ...(version === null ? {} : { version }) };
    return this.store.read((database) => {
      const row = database
        .prepare(`SELECT * FROM json_schema WHERE ${HERE} AND name = :name AND ${which}`)
        .get(values);
      return row ? versionOf(row) : null;
    });
  }

  /** The latest versions, by name. */
  list(place: WorkSpace, { offset, limit }: SchemaPage): Promise<SchemaVersion[]> {
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT * FROM json_schema WHERE ${HERE} AND ${LATEST} ORDER BY name LIMIT :limit OFFSET :offset`,
        )
        .all({ ...valuesOf(place), limit, offset })
        .map(versionOf),
    );
  }

  async close(): Promise<void> {
    this.store.close();
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
