import { type Database, type Row, text, textOrNull } from '../../../sqlite/driver.js';
import { StoreFile } from '../../../sqlite/stores/store-file.js';
import { type BoundedWorkPlace, WORK_STORE, type WorkSpace } from '../../work-space.js';
import { chargeRow, USAGE_TABLE } from '../substrate-usage.js';

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

const TABLES = `${USAGE_TABLE};
  CREATE TABLE IF NOT EXISTS substrate_manifest (project TEXT NOT NULL, environment TEXT NOT NULL, sha256 TEXT NOT NULL,
    parent TEXT, message TEXT NOT NULL, entries INTEGER NOT NULL, principal TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (project, environment, sha256)) WITHOUT ROWID`;

function manifestFacts(row: Row): ManifestFacts {
  return {
    sha256: text(row['sha256']),
    parent: textOrNull(row['parent']),
    message: text(row['message']),
    entries: Number(row['entries']),
    createdBy: text(row['principal']),
    createdAt: Number(row['created_at']),
  };
}

function findManifest(database: Database, space: WorkSpace, sha256: string): ManifestFacts | null {
  const row = database
    .prepare('SELECT * FROM substrate_manifest WHERE project = ? AND environment = ? AND sha256 = ?')
    .get(space.projectId, space.environment, sha256);
  return row ? manifestFacts(row) : null;
}

/** Knows which artifacts are manifests, and their parents. All methods throw BackendUnavailableError if the store can't be used. */
export class ManifestStore {
  private readonly store: StoreFile;

  constructor(private readonly options: BoundedWorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...options, tables: TABLES });
  }

  /**
   * Notes a manifest. One that is known stays as it is.
   * @returns the facts that are known then
   * @throws BudgetExceededError `substrate_full`
   */
  note(space: WorkSpace, manifest: Omit<ManifestFacts, 'createdAt'>): Promise<ManifestFacts> {
    const { projectId, environment } = space;
    const { sha256, parent, message, entries, createdBy } = manifest;
    const { maxBytes: max, now } = this.options;
    return this.store.write((database) => {
      const known = findManifest(database, space, sha256);
      if (known) return known;
      const createdAt = now();
      const row = [projectId, environment, sha256, parent, message, entries, createdBy, createdAt];
      database
        .prepare(
          `INSERT INTO substrate_manifest (project, environment, sha256, parent, message, entries, principal, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(...row);
      chargeRow(database, space, { row, max });
      return { ...manifest, createdAt };
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, sha256: string): Promise<ManifestFacts | null> {
    return this.store.read((database) => findManifest(database, space, sha256));
  }

  /** The manifest, its parent, and so on. @returns [] for an unknown one */
  chain(
    { projectId, environment }: WorkSpace,
    sha256: string,
    { offset, limit }: ChainPart,
  ): Promise<ManifestFacts[]> {
    return this.store.read((database) =>
      database
        .prepare(
          `WITH RECURSIVE chain (step, sha256) AS (
             VALUES (0, :sha256)
             UNION ALL
             SELECT step + 1, parent FROM chain JOIN substrate_manifest USING (sha256)
               WHERE project = :projectId AND environment = :environment AND parent IS NOT NULL
                 AND step + 1 < :end)
           SELECT substrate_manifest.* FROM chain JOIN substrate_manifest USING (sha256)
             WHERE project = :projectId AND environment = :environment AND step >= :offset ORDER BY step`,
        )
        .all({ sha256, projectId, environment, offset, end: offset + limit })
        .map(manifestFacts),
    );
  }

  async close(): Promise<void> {
    this.store.close();
  }
}
