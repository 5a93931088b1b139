import type { PointerName } from '../../../core/ports/index-source.js';
import type { Sql } from '../../../sqlite/stores/sql-database.port.js';
import { type BoundedWork, IN_SPACE, spaceValues } from '../../work-rows.js';
import type { WorkSpace } from '../../work-space.js';
import { pointerConflict, pointerExists, unknownPointer } from '../substrate-failures.js';
import { chargeRows } from '../substrate-usage.js';

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

const IS_NAMED = `${IN_SPACE} AND namespace = :namespace AND name = :name`;

const keyOf = (space: WorkSpace, { namespace, name }: PointerName) => ({
  ...spaceValues(space),
  namespace,
  name,
});

const COLUMNS = `namespace, name, type, description, manifest AS "manifestSha256", version, created_at AS "createdAt",
  moved_at AS "movedAt"`;
const MOVE_COLUMNS = 'version, old AS "oldSha256", new AS "newSha256", principal AS "by", reason, at';

async function findPointer(sql: Sql, space: WorkSpace, name: PointerName): Promise<Pointer | null> {
  const statement = `SELECT ${COLUMNS} FROM substrate_pointer WHERE ${IS_NAMED}`;
  const [pointer = null] = await sql<Pointer>(statement, keyOf(space, name));
  return pointer;
}

/** @throws InvalidArgumentError `pointer_not_found` */
async function existing(sql: Sql, space: WorkSpace, name: PointerName): Promise<Pointer> {
  const pointer = await findPointer(sql, space, name);
  if (!pointer) throw unknownPointer(name);
  return pointer;
}

/** @param max  limit of the space, in bytes */
async function insertMove(
  sql: Sql,
  space: WorkSpace,
  { max, ...move }: PointerName & PointerMove & { readonly max: number },
): Promise<void> {
  const { version, oldSha256, newSha256, by, reason, at } = move;
  const row = { ...keyOf(space, move), version, oldSha256, newSha256, by, reason, at };
  await sql(
    `INSERT INTO substrate_pointer_move
       (project, environment, namespace, name, version, old, new, principal, reason, at)
     VALUES (:projectId, :environment, :namespace, :name, :version, :oldSha256, :newSha256, :by, :reason, :at)`,
    row,
  );
  await chargeRows(sql, space, { rows: [row], max });
}

/**
 * Stores pointers with their history. Several processes may share one store; each method is atomic among them. All
 * methods throw BackendUnavailableError if the store can't be used.
 */
export class PointerStore {
  constructor(private readonly work: BoundedWork) {}

  /** @throws InvalidArgumentError `pointer_exists` with the current manifest; BudgetExceededError `substrate_full` */
  create(space: WorkSpace, pointer: NewPointer): Promise<Pointer> {
    const { database, now, maxBytes: max } = this.work;
    return database.write(async (sql) => {
      const known = await findPointer(sql, space, pointer);
      if (known) throw pointerExists(known);
      const at = now();
      const { type, description, manifestSha256 } = pointer;
      const row = { ...keyOf(space, pointer), type, description, manifestSha256, at };
      await sql(
        `INSERT INTO substrate_pointer
           (project, environment, namespace, name, type, description, manifest, version, created_at, moved_at)
         VALUES (:projectId, :environment, :namespace, :name, :type, :description, :manifestSha256, 1, :at, :at)`,
        row,
      );
      await chargeRows(sql, space, { rows: [row], max });
      const move = { version: 1, oldSha256: null, newSha256: manifestSha256, at };
      await insertMove(sql, space, { ...pointer, ...move, max });
      return existing(sql, space, pointer);
    });
  }

  /**
   * Moves a pointer if its manifest is the expected one.
   * @throws InvalidArgumentError `pointer_not_found`, `conflict` with the current manifest; BudgetExceededError
   *   `substrate_full`
   */
  advance(space: WorkSpace, advance: PointerAdvance): Promise<Pointer> {
    const { database, now, maxBytes: max } = this.work;
    return database.write(async (sql) => {
      const current = await existing(sql, space, advance);
      const { expectedSha256, newSha256 } = advance;
      if (current.manifestSha256 !== expectedSha256) throw pointerConflict(current);
      const version = current.version + 1;
      const at = now();
      await sql(
        `UPDATE substrate_pointer SET manifest = :newSha256, version = :version, moved_at = :at WHERE ${IS_NAMED}`,
        { ...keyOf(space, advance), newSha256, version, at },
      );
      await insertMove(sql, space, { ...advance, version, oldSha256: expectedSha256, at, max });
      return existing(sql, space, advance);
    });
  }

  /** @returns null for an unknown one */
  find(space: WorkSpace, name: PointerName): Promise<Pointer | null> {
    return this.work.database.read((sql) => findPointer(sql, space, name));
  }

  /** By namespace and name. */
  list(space: WorkSpace, { namespace, type, ...page }: PointerQuery): Promise<Pointer[]> {
    const filters = { ...(namespace !== null && { namespace }), ...(type !== null && { type }) };
    const conditions = [IN_SPACE, ...Object.keys(filters).map((name) => `${name} = :${name}`)];
    const statement = `SELECT ${COLUMNS} FROM substrate_pointer WHERE ${conditions.join(' AND ')}
      ORDER BY namespace, name LIMIT :limit OFFSET :offset`;
    const values = { ...spaceValues(space), ...filters, ...page };
    return this.work.database.read((sql) => sql<Pointer>(statement, values));
  }

  /** Latest first. @param beforeVersion  only moves before this version; null for all */
  moves(
    space: WorkSpace,
    name: PointerName,
    { beforeVersion, limit }: { readonly beforeVersion: number | null; readonly limit: number },
  ): Promise<PointerMove[]> {
    const statement = `SELECT ${MOVE_COLUMNS} FROM substrate_pointer_move WHERE ${IS_NAMED} AND version < :before
      ORDER BY version DESC LIMIT :limit`;
    const values = { ...keyOf(space, name), before: beforeVersion ?? Number.MAX_SAFE_INTEGER, limit };
    return this.work.database.read((sql) => sql<PointerMove>(statement, values));
  }
}
