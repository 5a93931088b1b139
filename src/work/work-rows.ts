import { type Sql, type SqlDatabase, type SqlRow } from '../sqlite/stores/sql-database.port.js';
import type { WorkSpace } from './work-space.js';

/** The database, with the clock and the limit of what is stored for good. */
export interface BoundedWork {
  readonly database: SqlDatabase;
  /** Max bytes of one project and environment. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** SQL: true for the rows of a space. Its values: `spaceValues`. */
export const IN_SPACE = 'project = :projectId AND environment = :environment';

export const spaceValues = ({ projectId, environment }: WorkSpace) => ({ projectId, environment });

/** The next position of a space, from 1. @param table  with the columns project, environment and position */
export async function nextPosition(sql: Sql, table: string, space: WorkSpace): Promise<number> {
  const last = `SELECT max(position) AS last FROM ${table} WHERE ${IN_SPACE}`;
  const [row] = await sql(last, spaceValues(space));
  return Number(row?.['last'] ?? 0) + 1;
}

/** Rows of a list that are read at once, if the first ones are not enough. */
const PAGE = 500;

/** Parses JSON that this version has stored. */
export const parsed = <T>(row: SqlRow, column: string): T => JSON.parse(String(row[column])) as T;

/** An item of a list whose newest one has the largest position. */
interface Positioned {
  readonly position: number;
}

/**
 * The newest items that a reader may see.
 * @param query  only items below `before`, at most `limit`
 * @param read  reads items below a position, the newest first, whether they may be seen or not
 * @param visible  those of some items that may be seen, in their order
 */
export async function newestVisible<T extends Positioned>(
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { readonly before?: number | undefined; readonly limit: number },
  read: (page: { readonly before: number; readonly limit: number }) => Promise<readonly T[]>,
  visible: (items: readonly T[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = [];
  let page = { before, limit };
  for (;;) {
    const items = await read(page);
    found.push(...(await visible(items)));
    const last = items.at(-1);
    if (!last || items.length < page.limit || found.length >= limit) return found.slice(0, limit);
    page = { before: last.position, limit: PAGE };
  }
}
