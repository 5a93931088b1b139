import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import {
  type ListedRun,
  type RecordingClaim,
  type RunChange,
  type RunCheckpoint,
  type RunKey,
  type RunListQuery,
  type RunProject,
  RunStore,
  type StoredRun,
} from './run-store.port.js';
import type { Database } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import {
  eventOfRow,
  insertCheckpoint,
  insertRun,
  insertRunEvent,
  IS_SEEN,
  RUN_TABLES,
  runOfRow,
  seenParameters,
  updateRun,
} from './run-rows.js';
import { WORK_STORE, type WorkPlace } from '../work-store.js';

/** Runs with waiting events that one query returns. */
const MAX_WAITING = 100;

/** Runs in an SQLite file, which several processes may use at once. */
export class SqliteRunStore extends RunStore {
  private readonly store: StoreFile;

  constructor(place: WorkPlace) {
    super();
    this.store = new StoreFile({ kind: WORK_STORE, ...place, tables: RUN_TABLES });
  }

  create(run: StoredRun, event: RunEvent): Promise<void> {
    return this.store.write((database) => {
      insertRun(database, run);
      insertRunEvent(database, event);
    });
  }

  change(key: RunKey, change: (run: StoredRun) => RunChange): Promise<StoredRun | null> {
    return this.store.write((database) => {
      const before = find(database, key);
      if (!before) return null;
      const { run, event, state } = change(before);
      if (!event) return run;
      updateRun(database, run);
      insertRunEvent(database, event);
      if (state !== undefined) insertCheckpoint(database, run, state);
      return run;
    });
  }

  get(key: RunKey): Promise<StoredRun | null> {
    return this.store.read((database) => find(database, key));
  }

  list({ status, type, after, limit, ...place }: RunListQuery): Promise<ListedRun[]> {
    const filters = { ...(status && { status }), ...(type !== undefined && { type }) };
    const conditions = [IS_SEEN, ...Object.keys(filters).map((name) => `${name} = :${name}`)];
    if (after !== undefined) conditions.push('position < :after');
    const values = {
      ...seenParameters(place),
      ...filters,
      ...(after !== undefined && { after }),
      limit,
    };
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT run, position FROM run WHERE ${conditions.join(' AND ')} ORDER BY position DESC LIMIT :limit`,
        )
        .all(values)
        .map((row) => ({ run: runOfRow(row), position: Number(row['position']) })),
    );
  }

  checkpoint(key: RunKey, version: number): Promise<RunCheckpoint | null> {
    return this.store.read((database) => {
      const run = find(database, key);
      const row = database
        .prepare('SELECT version, at, state FROM run_checkpoint WHERE run_id = ? AND version = ?')
        .get(key.id, version === 0 ? (run?.checkpoint ?? 0) : version);
      if (!run || !row) return null;
      return { version: Number(row['version']), at: Number(row['at']), state: String(row['state']) };
    });
  }

  async claim(runId: string, { by, now, until }: RecordingClaim): Promise<readonly RunEvent[] | null> {
    const select = 'SELECT event, claimed_by, claimed_until FROM run_event WHERE run_id = ? ORDER BY number';
    const isWaiting = await this.store.read((database) => database.prepare(select).get(runId) !== undefined);
    if (!isWaiting) return null;
    return this.store.write((database) => {
      const rows = database.prepare(select).all(runId);
      if (rows.length === 0) return null;
      // A claim that ends later than a new one was made before the clock stepped back.
      const isValid = (end: number): boolean => end > now && end <= until;
      if (rows.some((row) => row['claimed_by'] !== by && isValid(Number(row['claimed_until'])))) return [];
      database
        .prepare('UPDATE run_event SET claimed_by = ?, claimed_until = ? WHERE run_id = ?')
        .run(by, until, runId);
      return rows.map(eventOfRow);
    });
  }

  async recorded(runId: string, through: number): Promise<void> {
    await this.store.write((database) =>
      database.prepare('DELETE FROM run_event WHERE run_id = ? AND number <= ?').run(runId, through),
    );
  }

  async release(runId: string, by: string): Promise<void> {
    await this.store.write((database) =>
      database
        .prepare('UPDATE run_event SET claimed_until = 0 WHERE run_id = ? AND claimed_by = ?')
        .run(runId, by),
    );
  }

  waiting({ projectId, environment }: RunProject): Promise<string[]> {
    return this.store.read((database) =>
      database
        .prepare(
          `SELECT DISTINCT run_id FROM run_event JOIN run ON run.id = run_id
           WHERE project = ? AND environment = ? ORDER BY run_id LIMIT ${MAX_WAITING}`,
        )
        .all(projectId, environment)
        .map((row) => String(row['run_id'])),
    );
  }

  purge({ projectId, environment }: RunProject, before: number): Promise<number> {
    return this.store.write((database) => {
      const removed = database
        .prepare(
          `DELETE FROM run WHERE project = ? AND environment = ? AND changed_at < ?
           AND id NOT IN (SELECT run_id FROM run_event)`,
        )
        .run(projectId, environment, before).changes;
      if (Number(removed) > 0)
        database.exec('DELETE FROM run_checkpoint WHERE run_id NOT IN (SELECT id FROM run)');
      return Number(removed);
    });
  }

  async close(): Promise<void> {
    this.store.close();
  }
}

function find(database: Database, { id, ...seen }: RunKey): StoredRun | null {
  const row = database
    .prepare(`SELECT run FROM run WHERE id = :id AND ${IS_SEEN}`)
    .get({ id, ...seenParameters(seen) });
  return row ? runOfRow(row) : null;
}
