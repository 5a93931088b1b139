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
