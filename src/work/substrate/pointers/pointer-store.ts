import type { PointerName } from '../../../core/ports/index-source.js';
import { type Database, type Row, text, textOrNull } from '../../../sqlite/driver.js';
import { StoreFile } from '../../../sqlite/stores/store-file.js';
import { type BoundedWorkPlace, WORK_STORE, type WorkSpace } from '../../work-space.js';
import { pointerConflict, pointerExists, unknownPointer } from '../substrate-failures.js';
import { chargeRow, USAGE_TABLE } from '../substrate-usage.js';

export const POINTER_TYPES = ['bundle', 'corpus', 'snapshot'] as const;
type PointerType = (typeof POINTER_TYPES)[number];

/** A name for a manifest, which moves to later manifests. */
export interface Pointer extends PointerName {
  readonly type: PointerType;
  readonly description: string;
  readonly manifestSha256: string;
  /** 1 when it is created; each move adds 1. */
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly movedAt: number;
}

/** Who changes a pointer, and why. */
interface PointerChange {
  /** A principal. */
  readonly by: string;
  readonly reason: string;
}

/** One step in the history of a pointer. */
export interface PointerMove extends PointerChange {
  /** The version that it made. */
  readonly version: number;
  /** Null for the creation. */
  readonly oldSha256: string | null;
  readonly newSha256: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface NewPointer extends PointerName, PointerChange {
  readonly type: PointerType;
  readonly description: string;
  readonly manifestSha256: string;
}

interface PointerAdvance extends PointerName, PointerChange {
  /** The manifest that the caller believes to be current. */
  readonly expectedSha256: string;
  readonly newSha256: string;
}

/** Selects pointers. */
interface PointerQuery {
  /** Null for all. */
  readonly namespace: string | null;
  readonly type: PointerType | null;
  readonly offset: number;
  readonly limit: number;
}

const OWNED = 'project TEXT NOT NULL, environment TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL';
const TABLES = `${USAGE_TABLE};
  CREATE TABLE IF NOT EXISTS substrate_pointer (${OWNED}, type TEXT NOT NULL, description TEXT NOT NULL,
    manifest TEXT NOT NULL, version INTEGER NOT NULL, created_at INTEGER NOT NULL, moved_at INTEGER NOT NULL,
    PRIMARY KEY (project, environment, namespace, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS substrate_pointer_move (${OWNED}, version INTEGER NOT NULL, old TEXT, new TEXT NOT NULL,
    principal TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (project, environment, namespace, name, version)) WITHOUT ROWID`;

const IS_IN_SPACE = 'project = :projectId AND environment = :environment';
const IS_NAMED = `${IS_IN_SPACE} AND namespace = :namespace AND name = :name`;

const keyOf = ({ projectId, environment }: WorkSpace, { namespace, name }: PointerName) => ({
  projectId,
  environment,
  namespace,
  name,
});

function pointerOf(row: Row): Pointer {
  const type = POINTER_TYPES.find((each) => each === row['type']);
  if (!type) throw new Error(`unknown type of a pointer: ${String(row['type'])}`);
  return {
    namespace: text(row['namespace']),
    name: text(row['name']),
    type,
    description: text(row['description']),
    manifestSha256: text(row['manifest']),
    version: Number(row['version']),
    createdAt: Number(row['created_at']),
    movedAt: Number(row['moved_at']),
  };
}

function moveOf(row: Row): PointerMove {
  return {
    version: Number(row['version']),
    oldSha256: textOrNull(row['old']),
    newSha256: text(row['new']),
    by: text(row['principal']),
    reason: text(row['reason']),
    at: Number(row['at']),
  };
}

function findPointer(database: Database, space: WorkSpace, name: PointerName): Pointer | null {
  const row = database.prepare(`SELECT * FROM substrate_pointer WHERE ${IS_NAMED}`).get(keyOf(space, name));
  return row ? pointerOf(row) : null;
}

/** @param max  limit of the space, in bytes */
function insertMove(
  database: Database,
  space: WorkSpace,
  { max, ...move }: PointerName & PointerMove & { readonly max: number },
): void {
  const { version, oldSha256, newSha256, by, reason, at } = move;
  const row = { ...keyOf(space, move), version, oldSha256, newSha256, by, reason, at };
  database
    .prepare(
      `INSERT INTO substrate_pointer_move
         (project, environment, namespace, name, version, old, new, principal, reason, at)
       VALUES (:projectId, :environment, :namespace, :name, :version, :oldSha256, :newSha256, :by, :reason, :at)`,
    )
    .run(row);
  chargeRow(database, space, { row, max });
}

/**
 * Stores pointers with their history. Several processes may share one store; each method is atomic among them. All
 * methods throw BackendUnavailableError if the store can't be used.
 */
export class PointerStore {
  private readonly store: StoreFile;

  constructor(private readonly options: BoundedWorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...options, tables: TABLES });
  }

  /** @throws InvalidArgumentError `pointer_exists` with the current manifest; BudgetExceededError `substrate_full` */
  create(space: WorkSpace, pointer: NewPointer): Promise<Pointer> {
    return this.store.write((database) => {
      const existing = findPointer(database, space, pointer);
      if (existing) throw pointerExists(existing);
      const { now, maxBytes: max } = this.options;
      const at = now();
      const { type, description, manifestSha256 } = pointer;
      const row = { ...keyOf(space, pointer), type, description, manifestSha256, at };
      database
        .prepare(
          `INSERT INTO substrate_pointer
             (project, environment, namespace, name, type, description, manifest, version, created_at, moved_at)
           VALUES (:projectId, :environment, :namespace, :name, :type, :description, :manifestSha256, 1, :at, :at)`,
        )
        .run(row);
      chargeRow(database, space, { row, max });
      const move = { version: 1, oldSha256: null, newSha256: manifestSha256, at };
      insertMove(database, space, { ...pointer, ...move, max });
      return this.existing(database, space, pointer);
    });
  }

  /**
   * Moves a pointer if its manifest is the expected one.
   * @throws InvalidArgumentError `pointer_not_found`, `conflict` with the current manifest; BudgetExceededError
   *   `substrate_full`
   */
  advance(space: WorkSpace, advance: PointerAdvance): Promise<Pointer> {
    return this.store.write((database) => {
      const current = this.existing(database, space, advance);
      const { expectedSha256, newSha256 } = advance;
      if (current.manifestSha256 !== expectedSha256) throw pointerConflict(current);
      const version = current.version + 1;
      const { now, maxBytes: max } = this.options;
      const at = now();
      database
        .prepare(
          `UPDATE substrate_pointer SET manifest = :newSha256, version = :version, moved_at = :at WHERE ${IS_NAMED}`,
        )
        .run({ ...keyOf(space, advance), newSha256, version, at });
      insertMove(database, space, { ...advance, version, oldSha256: expectedSha256, at, max });
      return this.existing(database, space, advance);
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, name: PointerName): Promise<Pointer | null> {
    return this.store.read((database) => findPointer(database, space, name));
  }

  /** By namespace and name. */
  list(space: WorkSpace, { namespace, type, offset, limit }: PointerQuery): Promise<Pointer[]> {
    const { projectId, environment } = space;
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT * FROM substrate_pointer WHERE ${IS_IN_SPACE}
             AND (:namespace IS NULL OR namespace = :namespace) AND (:type IS NULL OR type = :type)
           ORDER BY namespace, name LIMIT :limit OFFSET :offset`,
        )
        .all({ projectId, environment, namespace, type, offset, limit })
        .map(pointerOf),
    );
  }

  /** Latest first. @param beforeVersion  only moves before this version; null for all */
  moves(
    space: WorkSpace,
    name: PointerName,
    { beforeVersion, limit }: { readonly beforeVersion: number | null; readonly limit: number },
  ): Promise<PointerMove[]> {
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT * FROM substrate_pointer_move WHERE ${IS_NAMED}
             AND (:beforeVersion IS NULL OR version < :beforeVersion) ORDER BY version DESC LIMIT :limit`,
        )
        .all({ ...keyOf(space, name), beforeVersion, limit })
        .map(moveOf),
    );
  }

  async close(): Promise<void> {
    this.store.close();
  }

  private existing(database: Database, space: WorkSpace, name: PointerName): Pointer {
    const pointer = findPointer(database, space, name);
    if (!pointer) throw unknownPointer(name);
    return pointer;
  }
}
