import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
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

/** Where `scripts/engines/postgres.sh` has put PostgreSQL if the system has none. */
const INSTALLED = join(process.env['ENGINES_HOME'] ?? join(PACKAGE_ROOT, '.engines'), 'postgres');
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Runs a program of PostgreSQL. @throws if it fails */
export function runPostgres(program: 'pg_dump' | 'pg_restore', ...args: readonly string[]): void {
  const isSystem = process.env['POSTGRES_SYSTEM'] !== 'no' && existsSync('/usr/lib/postgresql');
  const versions = join(isSystem ? '/' : INSTALLED, 'usr/lib/postgresql');
  const newest = String(Math.max(...namesIn(versions).map(Number)));
  const libraries = ['usr/lib', 'lib'].flatMap((folder) =>
    namesIn(join(INSTALLED, folder))
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(INSTALLED, folder, name)),
  );
  execFileSync(join(versions, newest, 'bin', program), args, {
    env: { ...process.env, ...(isSystem ? {} : { LD_LIBRARY_PATH: libraries.join(':') }) },
    stdio: 'pipe',
  });
}

export const aPool = (url: string, { timeoutMs = 5_000, prepare = prepareTables } = {}): PostgresPool =>
  new PostgresPool({ url, timeoutMs, prepare });

/** Opens a database as another process does. */
export const connectTo = (url: string, options?: Parameters<typeof aPool>[1]): PostgresConnection =>
  new PostgresConnection(aPool(url, options));
