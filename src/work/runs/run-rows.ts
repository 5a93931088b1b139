import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import {
  KEPT_CHECKPOINTS,
  type RunProject,
  type RunReader,
  type StoredRun,
} from './run-store.port.js';
import { coverParameters, coversScope } from '../../sqlite/covered-scope.js';
import type { Database } from '../../sqlite/driver.js';

/** `run` and `event` are JSON. `position` counts the runs of one project and environment. Times are ms since the epoch. */
export const RUN_TABLES = `
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
export const IS_SEEN = `project = :projectId AND environment = :environment
  AND (:principal IS NULL OR principal = :principal OR (:seesOthers AND ${coversScope('run')}))`;

/** The parameters of `IS_SEEN`. */
export const seenParameters = ({ projectId, environment, principal, orWithin }: RunReader) => ({
  ...coverParameters({ docTags: null, repositories: null, ...orWithin, projectId, environment }),
  principal,
  seesOthers: orWithin === undefined ? 0 : 1,
});

type Row = Readonly<Record<string, unknown>>;

// The store wrote the JSON. Runs of earlier versions have no `stepSchema`.
export const runOfRow = (row: Row): StoredRun =>
  Object.assign({ stepSchema: null }, JSON.parse(String(row['run'])) as StoredRun);
export const eventOfRow = (row: Row): RunEvent => JSON.parse(String(row['event'])) as RunEvent;

function nextPosition(database: Database, { projectId, environment }: RunProject): number {
  const row = database
    .prepare('SELECT max(position) AS last FROM run WHERE project = ? AND environment = ?')
    .get(projectId, environment);
  return Number(row?.['last'] ?? 0) + 1;
}

/** Adds a run as the newest one of its place. */
export function insertRun(database: Database, run: StoredRun): void {
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
export function updateRun(database: Database, run: StoredRun): void {
  database
    .prepare('UPDATE run SET status = ?, changed_at = ?, run = ? WHERE id = ?')
    .run(run.status, run.changedAt, JSON.stringify(run), run.id);
}

/** Adds an event that waits to be recorded. */
export function insertRunEvent(database: Database, event: RunEvent): void {
  database
    .prepare('INSERT INTO run_event (run_id, number, event) VALUES (?, ?, ?)')
    .run(event.run_id, event.number, JSON.stringify(event));
}

/** Adds the latest checkpoint of a run and removes the oldest one, if there are too many. */
export function insertCheckpoint(
  database: Database,
  { id, checkpoint, changedAt }: StoredRun,
  state: string,
): void {
  database
    .prepare('INSERT INTO run_checkpoint (run_id, version, at, state) VALUES (?, ?, ?, ?)')
    .run(id, checkpoint, changedAt, state);
  database
    .prepare('DELETE FROM run_checkpoint WHERE run_id = ? AND version <= ?')
    .run(id, checkpoint - KEPT_CHECKPOINTS);
}
