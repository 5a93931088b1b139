import type { Config } from '../../config/config.js';
import { openPostgres } from '../../engines/postgres/open-postgres.js';
import { beginLocked, type PostgresConnection } from '../../engines/postgres/postgres-connection.js';
import type { RunSql } from '../../engines/postgres/postgres-pool.js';
import type { Database } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { GOVERNANCE_STORE, type GovernancePlace } from '../governance-store.js';
import {
  type ListedSnapshot,
  type PinAcceptance,
  pinOf,
  type ProviderPin,
  ProviderPins,
} from './provider-pins.port.js';

const BEGIN = beginLocked('governance');

const FORGET_LISTED = `UPDATE pith.provider_tool SET listed_hash = NULL, listed = NULL, problem = NULL
  WHERE provider = $1`;
const INSERT = `INSERT INTO pith.provider_tool (provider, tool, listed_hash, listed, problem)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[])
  ON CONFLICT (provider, tool) DO UPDATE
    SET listed_hash = excluded.listed_hash, listed = excluded.listed, problem = excluded.problem`;
const FORGET_TOOLS = `DELETE FROM pith.provider_tool
  WHERE provider = $1 AND listed_hash IS NULL AND hash IS NULL`;
const COUNT_LISTED = `SELECT count(*) AS n FROM pith.provider_tool
  JOIN unnest($2::text[], $3::text[]) AS shown (tool, hash) USING (tool)
  WHERE provider = $1 AND listed_hash = shown.hash AND problem IS NULL`;
const ACCEPT = `UPDATE pith.provider_tool
  SET hash = listed_hash, definition = listed, accepted_at = $3, accepted_by = $4,
    revision = (SELECT coalesce(max(revision), 0) + 1 FROM pith.provider_tool)
  WHERE provider = $1 AND tool = ANY ($2::text[])`;

/** PostgreSQL refuses NUL in texts. Names come from providers; the hashes cover the real ones. */
const storable = (name: string): string => name.replaceAll('\0', '\ufffd');

/** Definitions of external tools in PostgreSQL, shared by all replicas. Only one process changes them at a time. */
export class PostgresProviderPins extends ProviderPins {
  constructor(private readonly connection: PostgresConnection) {
    super();
  }

  note(provider: string, listed: readonly ListedSnapshot[]): Promise<void> {
    const tools = [...new Map(listed.map((tool) => [storable(tool.tool), tool]))];
    const columns = [
      tools.map(([name]) => name),
      tools.map(([, { hash }]) => hash),
      tools.map(([, { definition }]) => definition),
      tools.map(([, { problem }]) => problem && storable(problem)),
    ];
    return this.connection.write(BEGIN, async (run) => {
      await run(FORGET_LISTED, [provider]);
      await run(INSERT, [provider, ...columns]);
      await run(FORGET_TOOLS, [provider]);
    });
  }

  async pins(provider?: string): Promise<ProviderPin[]> {
    const sql = `SELECT * FROM pith.provider_tool
      WHERE $1::text IS NULL OR provider = $1 ORDER BY provider, tool`;
    const rows = await this.connection.read((run) => run(sql, [provider ?? null]));
    return rows.map(pinOf);
  }

  accept({ provider, tools, by, at }: PinAcceptance): Promise<boolean> {
    const accepted = new Map(tools.map(({ tool, hash }) => [storable(tool), hash]));
    const names = [...accepted.keys()];
    return this.connection.write(BEGIN, async (run) => {
      const isListed = (await count(run, provider, accepted)) === names.length;
      if (isListed) await run(ACCEPT, [provider, names, at, by]);
      return isListed;
    });
  }

  async revision(): Promise<number> {
    const sql = 'SELECT coalesce(max(revision), 0) AS n FROM pith.provider_tool';
    const [row] = await this.connection.read((run) => run(sql));
    return Number(row?.['n']);
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}

/** Number of tools that are listed as they were shown, and can be accepted. */
async function count(run: RunSql, provider: string, shown: ReadonlyMap<string, string>): Promise<number> {
  const [row] = await run(COUNT_LISTED, [provider, [...shown.keys()], [...shown.values()]]);
  return Number(row?.['n']);
}

/** `listed_hash` is NULL if the provider no longer lists the tool, `hash` before the first acceptance. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS provider_tool (provider TEXT NOT NULL, tool TEXT NOT NULL,
    listed_hash TEXT, listed TEXT, problem TEXT,
    hash TEXT, definition TEXT, accepted_at INTEGER, accepted_by TEXT, revision INTEGER,
    PRIMARY KEY (provider, tool)) WITHOUT ROWID`;

const nextRevision = (database: Database): number => revisionOf(database) + 1;

function revisionOf(database: Database): number {
  return Number(database.prepare('SELECT max(revision) AS n FROM provider_tool').get()?.['n'] ?? 0);
}

/** Definitions of external tools in an SQLite file, which several processes may use at once. */
export class SqliteProviderPins extends ProviderPins {
  private readonly store: StoreFile;

  constructor(place: GovernancePlace) {
    super();
    this.store = new StoreFile({ kind: GOVERNANCE_STORE, ...place, tables: TABLES });
  }

  note(provider: string, listed: readonly ListedSnapshot[]): Promise<void> {
    return this.store.write((database) => {
      database
        .prepare(
          'UPDATE provider_tool SET listed_hash = NULL, listed = NULL, problem = NULL WHERE provider = ?',
        )
        .run(provider);
      const insert = database.prepare(
        `INSERT INTO provider_tool (provider, tool, listed_hash, listed, problem)
         VALUES (:provider, :tool, :hash, :definition, :problem)
         ON CONFLICT (provider, tool) DO UPDATE SET listed_hash = :hash, listed = :definition, problem = :problem`,
      );
      for (const { tool, hash, definition, problem } of listed) {
        insert.run({ provider, tool, hash, definition, problem });
      }
      database
        .prepare('DELETE FROM provider_tool WHERE provider = ? AND listed_hash IS NULL AND hash IS NULL')
        .run(provider);
    });
  }

  pins(provider?: string): Promise<ProviderPin[]> {
    const where = provider === undefined ? '' : 'WHERE provider = ?';
    const values = provider === undefined ? [] : [provider];
    return this.store.read((database) => {
      // A store that is only read may have no tables of providers yet.
      if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'provider_tool'").get()) return [];
      return database
        .prepare(`SELECT * FROM provider_tool ${where} ORDER BY provider, tool`)
        .all(...values)
        .map(pinOf);
    });
  }

  accept({ provider, tools, by, at }: PinAcceptance): Promise<boolean> {
    return this.store.write((database) => {
      const isListed = database.prepare(
        'SELECT 1 FROM provider_tool WHERE provider = ? AND tool = ? AND listed_hash = ? AND problem IS NULL',
      );
      if (!tools.every(({ tool, hash }) => isListed.get(provider, tool, hash))) return false;
      const revision = nextRevision(database);
      const accept = database.prepare(
        `UPDATE provider_tool SET hash = listed_hash, definition = listed, accepted_at = :at, accepted_by = :by,
           revision = :revision
         WHERE provider = :provider AND tool = :tool`,
      );
      for (const { tool } of tools) accept.run({ provider, tool, at, by, revision });
      return true;
    });
  }

  revision(): Promise<number> {
    return this.store.read(revisionOf);
  }

  async close(): Promise<void> {
    this.store.close();
  }
}

/**
 * The store of accepted definitions of external tools; opened when it is first used.
 * @param config  with the final path of the store
 * @param use  a server creates the file if missing, a command does not; a look writes nothing at all
 */
export function openProviderPins(
  config: Pick<Config, 'governance' | 'backends'>,
  use: 'server' | 'command' | 'look',
): ProviderPins {
  if (config.backends.governanceDatabase !== '')
    return new PostgresProviderPins(openPostgres(config, use === 'server' ? use : 'command'));
  const { governance } = config;
  return new SqliteProviderPins({
    file: governance.storeFile,
    creates: use === 'server',
    isReadOnly: use === 'look',
  });
}
