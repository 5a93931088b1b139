import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { PostgresConnection } from '../../src/engines/postgres/postgres-connection.js';
import { PostgresPool } from '../../src/engines/postgres/postgres-pool.js';
import { prepareTables } from '../../src/engines/postgres/postgres-tables.js';
import { engineUrl } from './engine.js';

/** A database of its own on the PostgreSQL for tests. */
export interface TestDatabase {
  readonly url: string;
  /** Runs statements as its owner. @returns rows of the last one */
  readonly sql: (text: string) => Promise<Record<string, unknown>[]>;
  /** Also ends the connections of others. */
  readonly remove: () => Promise<void>;
}

/** Runs statements on a connection of its own. */
async function run(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results = [await client.query(text)].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

export async function testDatabase(): Promise<TestDatabase> {
  const server = engineUrl('postgres') ?? '';
  const name = `pith_${randomUUID().replaceAll('-', '')}`;
  await run(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    sql: (text) => run(url.href, text),
    remove: async () => void (await run(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

export const aPool = (url: string, { timeoutMs = 5_000, prepare = prepareTables } = {}): PostgresPool =>
  new PostgresPool({ url, timeoutMs, prepare });

/** Opens a database as another process does. */
export const connectTo = (url: string, options?: Parameters<typeof aPool>[1]): PostgresConnection =>
  new PostgresConnection(aPool(url, options));
