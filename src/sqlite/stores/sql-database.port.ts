type SqlValue = string | number | null | Uint8Array;

export type SqlValues = Readonly<Record<string, SqlValue>>;

/** A row of a result, by column name. Integers are numbers, bytes are `Uint8Array`. */
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * Runs one statement that SQLite and PostgreSQL understand alike, and returns its rows. It names its values `:name`; every
 * name has a value. Outside of those names it has no colon.
 * @typeParam Row  the columns that the statement selects, of our own tables
 */
export type Sql = <Row extends object = SqlRow>(statement: string, values?: SqlValues) => Promise<Row[]>;

/**
 * A database of small tables. Several processes may share it. Work of a transaction awaits its statements and nothing
 * else. All methods throw BackendUnavailableError if the database can't be used.
 */
export abstract class SqlDatabase {
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

/** SQL: true if a column has one of the values. Its values are those of `values`. */
export function isOneOf(column: string, list: readonly string[]) {
  const values = Object.fromEntries(list.map((value, i) => [`item${i}`, value]));
  const names = Object.keys(values).map((name) => `:${name}`);
  return { condition: names.length === 0 ? 'FALSE' : `${column} IN (${names.join(', ')})`, values };
}

/** SQL: the rows of an INSERT, such as `(:a0, :b0), (:a1, :b1)`, and their values. @param rows  with the same columns */
export function listValues(rows: readonly SqlValues[]) {
  const values = Object.fromEntries(
    rows.flatMap((row, i) => Object.entries(row).map(([name, value]) => [`${name}${i}`, value])),
  );
  const text = rows.map(
    (row, i) =>
      `(${Object.keys(row)
        .map((name) => `:${name}${i}`)
        .join(', ')})`,
  );
  return { text: text.join(', '), values };
}
