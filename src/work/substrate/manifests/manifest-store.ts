import type { Sql } from '../../../sqlite/stores/sql-database.port.js';
import { type BoundedWork, IN_SPACE, spaceValues } from '../../work-rows.js';
import type { WorkSpace } from '../../work-space.js';
import { chargeRows } from '../substrate-usage.js';

/** A manifest, without its entries. Their JSON is an artifact with the same SHA-256. */
export interface ManifestFacts {
  readonly sha256: string;
  /** The manifest that it follows; null for the first. */
  readonly parent: string | null;
  /** Empty if none was given. */
  readonly message: string;
  readonly entries: number;
  /** The principal that made it first. */
  readonly createdBy: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A part of a chain of parents. */
interface ChainPart {
  /** Number of manifests to leave out at its start. */
  readonly offset: number;
  /** Max manifests to return. */
  readonly limit: number;
}

const columnsOf = (table: string): string => `${table}.sha256, ${table}.parent, message, entries,
  principal AS "createdBy", created_at AS "createdAt"`;

async function findManifest(sql: Sql, space: WorkSpace, sha256: string): Promise<ManifestFacts | null> {
  const statement = `SELECT ${columnsOf('substrate_manifest')} FROM substrate_manifest WHERE ${IN_SPACE} AND sha256 = :sha256`;
  const [manifest = null] = await sql<ManifestFacts>(statement, { ...spaceValues(space), sha256 });
  return manifest;
}

const CHAIN = `WITH RECURSIVE chain (step, sha256, parent) AS (
    SELECT 0, sha256, parent FROM substrate_manifest WHERE ${IN_SPACE} AND sha256 = :sha256
    UNION ALL
    SELECT step + 1, next.sha256, next.parent FROM chain JOIN substrate_manifest AS next ON next.sha256 = chain.parent
      WHERE ${IN_SPACE} AND step + 1 < :end)
  SELECT ${columnsOf('manifest')} FROM chain JOIN substrate_manifest AS manifest ON manifest.sha256 = chain.sha256
    WHERE ${IN_SPACE} AND step >= :offset ORDER BY step`;

/** Knows which artifacts are manifests, and their parents. All methods throw BackendUnavailableError if the store can't be used. */
export class ManifestStore {
  constructor(private readonly work: BoundedWork) {}

  /**
   * Notes a manifest. One that is known stays as it is.
   * @returns the facts that are known then
   * @throws BudgetExceededError `substrate_full`
   */
  note(space: WorkSpace, manifest: Omit<ManifestFacts, 'createdAt'>): Promise<ManifestFacts> {
    const { database, maxBytes: max, now } = this.work;
    return database.write(async (sql) => {
      const known = await findManifest(sql, space, manifest.sha256);
      if (known) return known;
      const created = { ...manifest, createdAt: now() };
      const row = { ...spaceValues(space), ...created };
      await sql(
        `INSERT INTO substrate_manifest (project, environment, sha256, parent, message, entries, principal, created_at)
         VALUES (:projectId, :environment, :sha256, :parent, :message, :entries, :createdBy, :createdAt)`,
        row,
      );
      await chargeRows(sql, space, { rows: [row], max });
      return created;
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, sha256: string): Promise<ManifestFacts | null> {
    return this.work.database.read((sql) => findManifest(sql, space, sha256));
  }

  /** The manifest, its parent, and so on. @returns [] for an unknown one */
  chain(space: WorkSpace, sha256: string, { offset, limit }: ChainPart): Promise<ManifestFacts[]> {
    const values = { ...spaceValues(space), sha256, offset, end: offset + limit };
    return this.work.database.read((sql) => sql<ManifestFacts>(CHAIN, values));
  }
}
