import type { WorkSpace } from './work-space.js';

type SqlValue = string | number | null | Uint8Array;

/** A row of a result, by column name. Integers are numbers, bytes are `Uint8Array`. */
export type WorkRow = Readonly<Record<string, unknown>>;

/**
 * Runs one statement that SQLite and PostgreSQL understand alike, and returns its rows. It names its values `:name`; every
 * name has a value. Outside of those names it has no colon.
 */
export type Sql = (statement: string, values?: Readonly<Record<string, SqlValue>>) => Promise<WorkRow[]>;

/**
 * The database of what the tools of MCP_DOMAINS store. Several processes may share it. Work of a transaction awaits its
 * statements and nothing else. All methods throw BackendUnavailableError if the database can't be used.
 */
export abstract class WorkDatabase {
  /** Runs statements that only read, on one state of the database. */
  abstract read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Runs one transaction, while no other process runs one. What it wrote is on the disk when the promise resolves.
   * @param work  may run more than once, as it does if another program has locked the database
   */
  abstract write<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** The time by the clock that all processes share (ms since the epoch). @param sql  of a transaction */
  abstract now(sql: Sql): Promise<number>;
  /** Later use fails. */
  abstract close(): Promise<void>;
}

/** The database, with the clock and the limit of what is stored for good. */
export interface BoundedWork {
  readonly database: WorkDatabase;
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

/** SQL: true if a column has one of the values. Its values are those of `values`. */
export function isOneOf(column: string, list: readonly string[]) {
  const values = Object.fromEntries(list.map((value, i) => [`item${i}`, value]));
  const names = Object.keys(values).map((name) => `:${name}`);
  return { condition: names.length === 0 ? 'FALSE' : `${column} IN (${names.join(', ')})`, values };
}

/** Rows of a list that are read at once, if the first ones are not enough. */
const PAGE = 500;

/** Parses JSON that this version has stored. */
export const parsed = <T>(row: WorkRow, column: string): T => JSON.parse(String(row[column])) as T;

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
