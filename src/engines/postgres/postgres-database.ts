import { type Sql, SqlDatabase, type SqlValues } from '../../sqlite/stores/sql-database.port.js';
import type { PostgresConnection } from './postgres-connection.js';
import type { RunSql } from './postgres-pool.js';

const IN_SCHEMA = 'SET LOCAL search_path = pith';
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${IN_SCHEMA}`;

const NOW = 'SELECT CAST(1000 * extract(epoch FROM clock_timestamp()) AS bigint) AS now';

/** Numbers the values of a statement: `$1` stands for the first name. */
function numbered(statement: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const text = statement.replace(/:(\w+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/** PostgreSQL can't store NUL in texts. As lone surrogates are, it is replaced. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;

const statementsWith =
  (run: RunSql): Sql =>
  async <Row extends object>(statement: string, values: SqlValues = {}) => {
    const { text, names } = numbered(statement);
    const rows = await run(
      text,
      names.map((name) => storable(values[name])),
    );
    // Safe because our own tables have columns of these types.
    return rows as unknown as Row[];
  };

/** Tables in PostgreSQL, shared by all replicas. Only one process changes them at a time. */
export class PostgresDatabase extends SqlDatabase {
  /** @param begin  statements that begin a transaction which writes; see `beginLocked` */
  constructor(
    private readonly connection: PostgresConnection,
    private readonly begin: string,
  ) {
    super();
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.read(async (run) => {
      await run(BEGIN_READ);
      const result = await work(statementsWith(run));
      await run('COMMIT');
      return result;
    });
  }

  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.writeInTurn(`${this.begin}; ${IN_SCHEMA}`, (run) => work(statementsWith(run)));
  }

  async now(sql: Sql): Promise<number> {
    const [row] = await sql(NOW);
    return Number(row?.['now']);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
