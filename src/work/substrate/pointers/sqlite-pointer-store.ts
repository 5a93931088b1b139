import type { PointerName } from '../../../core/ports/index-source.js';
import {
  type NewPointer,
  type Pointer,
  POINTER_TYPES,
  type PointerAdvance,
  type PointerMove,
  type PointerQuery,
  PointerStore,
} from './pointer-store.port.js';
import type { WorkSpace } from '../../work-space.js';
import { pointerConflict, pointerExists, unknownPointer } from '../substrate-failures.js';
import type { Database } from '../../../sqlite/driver.js';
import { type Row, text, textOrNull } from '../../../sqlite/row-values.js';
import { StoreFile } from '../../../sqlite/stores/store-file.js';
import { chargeRow, USAGE_TABLE } from '../substrate-usage.js';
import { type BoundedWorkPlace, WORK_STORE } from '../../work-store.js';

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

/** Pointers in an SQLite file, which several processes may use at once. */
export class SqlitePointerStore extends PointerStore {
  private readonly store: StoreFile;

  constructor(private readonly options: BoundedWorkPlace) {
    super();
    this.store = new StoreFile({ kind: WORK_STORE, ...options, tables: TABLES });
  }

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

  find(space: WorkSpace, name: PointerName): Promise<Pointer | null> {
    return this.store.read((database) => findPointer(database, space, name));
  }

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
