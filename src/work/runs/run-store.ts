import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import { coverParameters, coversScope } from '../../sqlite/covered-scope.js';
import type { Database } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { WORK_STORE, type WorkPlace, type WorkSpace } from '../work-space.js';
import {
  KEPT_CHECKPOINTS,
  type ListedRun,
  type RunChange,
  type RunCheckpoint,
  type RunKey,
  type RunLease,
  type RunListQuery,
  type RunReader,
  type StoredRun,
} from './run.js';

/** `run` and `event` are JSON. `position` counts the runs of one project and environment. Times are ms since the epoch. */
const RUN_TABLES = `
  CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, project TEXT NOT NULL, environment TEXT NOT NULL,
    principal TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, changed_at INTEGER NOT NULL,
    position INTEGER NOT NULL, run TEXT NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS run_position ON run (project, environment, position);
  CREATE INDEX IF NOT EXISTS run_principal ON run (project, environment, principal, position);
  CREATE INDEX IF NOT EXISTS run_changed ON run (changed_at);
  CREATE TABLE IF NOT EXISTS run_checkpoint (run_id TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (run_id, version)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run_event (run_id TEXT NOT NULL, number INTEGER NOT NULL, event TEXT NOT NULL,
    claimed_by TEXT NOT NULL DEFAULT '', claimed_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, number)) WITHOUT ROWID`;

/** SQL: true for the runs of a place that a reader may see. */
const IS_SEEN = `project = :projectId AND environment = :environment
  AND (:principal IS NULL OR principal = :principal OR (:seesOthers AND ${coversScope('run')}))`;

/** The parameters of `IS_SEEN`. */
const seenParameters = ({ projectId, environment, principal, orWithin }: RunReader) => ({
  ...coverParameters({ docTags: null, repositories: null, ...orWithin, projectId, environment }),
  principal,
  seesOthers: orWithin === undefined ? 0 : 1,
});

type Row = Readonly<Record<string, unknown>>;

// The store wrote the JSON. Runs of earlier versions have no `stepSchema`.
const runOfRow = (row: Row): StoredRun =>
  Object.assign({ stepSchema: null }, JSON.parse(String(row['run'])) as StoredRun);
const eventOfRow = (row: Row): RunEvent => JSON.parse(String(row['event'])) as RunEvent;

function nextPosition(database: Database, { projectId, environment }: WorkSpace): number {
  const row = database
    .prepare('SELECT max(position) AS last FROM run WHERE project = ? AND environment = ?')
    .get(projectId, environment);
  return Number(row?.['last'] ?? 0) + 1;
}

/** Adds a run as the newest one of its place. */
function insertRun(database: Database, run: StoredRun): void {
  const { id, projectId, environment, principal, type, status, changedAt } = run;
  database
    .prepare(
      `INSERT INTO run (id, project, environment, principal, type, status, changed_at, position, run)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...[id, projectId, environment, principal, type, status],
      ...[changedAt, nextPosition(database, run), JSON.stringify(run)],
    );
}

/** Replaces a run as it is after a change. */
function updateRun(database: Database, run: StoredRun): void {
  database
    .prepare('UPDATE run SET status = ?, changed_at = ?, run = ? WHERE id = ?')
    .run(run.status, run.changedAt, JSON.stringify(run), run.id);
}

/** Adds an event that waits to be recorded. */
function insertRunEvent(database: Database, event: RunEvent): void {
  database
    .prepare('INSERT INTO run_event (run_id, number, event) VALUES (?, ?, ?)')
    .run(event.run_id, event.number, JSON.stringify(event));
}

/** Adds the latest checkpoint of a run and removes the oldest one, if there are too many. */
function insertCheckpoint(database: Database, { id, checkpoint, changedAt }: StoredRun, state: string): void {
  database
    .prepare('INSERT INTO run_checkpoint (run_id, version, at, state) VALUES (?, ?, ?, ?)')
    .run(id, checkpoint, changedAt, state);
  database
    .prepare('DELETE FROM run_checkpoint WHERE run_id = ? AND version <= ?')
    .run(id, checkpoint - KEPT_CHECKPOINTS);
}

/** Runs with waiting events that one query returns. */
const MAX_WAITING = 100;

/**
 * Stores the state of runs. Several processes may share one store; each method is atomic among them. The events of a
 * change are stored with it and wait until somebody has recorded them in the run ledger. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export class RunStore {
  private readonly store: StoreFile;

  constructor(place: WorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...place, tables: RUN_TABLES });
  }

  /** Stores a new run and its event. */
  create(run: StoredRun, event: RunEvent): Promise<void> {
    return this.store.write((database) => {
      insertRun(database, run);
      insertRunEvent(database, event);
    });
  }

  /**
   * Changes a run and stores the event.
   * @param change  pure; gets the run as it is now, and throws if it can't be changed so
   * @returns the run after the change; null for an unknown run
   */
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

  /** Null for an unknown run. */
  get(key: RunKey): Promise<StoredRun | null> {
    return this.store.read((database) => find(database, key));
  }

  /** Newest first. */
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

  /** A checkpoint of a run that the key names. @param version  0 for the latest @returns null if it is not kept */
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

  /**
   * Leases the waiting events of a run, in order.
   * @returns null if none waits; [] if another lease is valid
   */
  async lease(runId: string, { by, now, until }: RunLease): Promise<readonly RunEvent[] | null> {
    const select = 'SELECT event, claimed_by, claimed_until FROM run_event WHERE run_id = ? ORDER BY number';
    const isWaiting = await this.store.read((database) => database.prepare(select).get(runId) !== undefined);
    if (!isWaiting) return null;
    return this.store.write((database) => {
      const rows = database.prepare(select).all(runId);
      if (rows.length === 0) return null;
      // A lease that ends later than a new one was taken before the clock stepped back.
      const isValid = (end: number): boolean => end > now && end <= until;
      if (rows.some((row) => row['claimed_by'] !== by && isValid(Number(row['claimed_until'])))) return [];
      database
        .prepare('UPDATE run_event SET claimed_by = ?, claimed_until = ? WHERE run_id = ?')
        .run(by, until, runId);
      return rows.map(eventOfRow);
    });
  }

  /** Forgets the events up to this number, which are recorded. */
  async recorded(runId: string, through: number): Promise<void> {
    await this.store.write((database) =>
      database.prepare('DELETE FROM run_event WHERE run_id = ? AND number <= ?').run(runId, through),
    );
  }

  /** Ends a lease early. */
  async release(runId: string, by: string): Promise<void> {
    await this.store.write((database) =>
      database
        .prepare('UPDATE run_event SET claimed_until = 0 WHERE run_id = ? AND claimed_by = ?')
        .run(runId, by),
    );
  }

  /** Ids of runs with events that wait, at most 100. */
  waiting({ projectId, environment }: WorkSpace): Promise<string[]> {
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

  /**
   * Removes runs of one place that were last changed before a time (ms since the epoch) and have no event that waits.
   * @returns their number
   */
  purge({ projectId, environment }: WorkSpace, before: number): Promise<number> {
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
