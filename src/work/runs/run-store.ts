import { scopeCovers } from '../../core/scope.js';
import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import { isOneOf, type Sql, type SqlDatabase, type SqlRow } from '../../sqlite/stores/sql-database.port.js';
import { IN_SPACE, newestVisible, nextPosition, spaceValues } from '../work-rows.js';
import type { WorkSpace } from '../work-space.js';
import {
  KEPT_CHECKPOINTS,
  type ListedRun,
  type RunChange,
  type RunCheckpoint,
  type RunKey,
  type RunListQuery,
  type RunReader,
  type StoredRun,
} from './run.js';

/** True for a run of the space that a reader may see. */
function isSeen(run: StoredRun, { principal, orWithin, ...space }: RunReader): boolean {
  if (principal === null || run.principal === principal) return true;
  const within = { docTags: null, repositories: null, ...orWithin, ...spaceValues(space) };
  return orWithin !== undefined && run.scope !== undefined && scopeCovers(within, run.scope);
}

// The store wrote the JSON. Runs of earlier versions have no `stepSchema`.
const runOfRow = (row: SqlRow): StoredRun =>
  Object.assign({ stepSchema: null }, JSON.parse(String(row['run'])) as StoredRun);
const eventOfRow = (row: SqlRow): RunEvent => JSON.parse(String(row['event'])) as RunEvent;

/** Adds a run as the newest one of its place. */
async function insertRun(sql: Sql, run: StoredRun): Promise<void> {
  const { id, principal, type, status, changedAt } = run;
  const position = await nextPosition(sql, 'run', run);
  await sql(
    `INSERT INTO run (id, project, environment, principal, type, status, changed_at, position, run)
     VALUES (:id, :projectId, :environment, :principal, :type, :status, :changedAt, :position, :run)`,
    { id, ...spaceValues(run), principal, type, status, changedAt, position, run: JSON.stringify(run) },
  );
}

/** Replaces a run as it is after a change. */
async function updateRun(sql: Sql, run: StoredRun): Promise<void> {
  const { id, status, changedAt } = run;
  await sql('UPDATE run SET status = :status, changed_at = :changedAt, run = :run WHERE id = :id', {
    ...{ id, status, changedAt, run: JSON.stringify(run) },
  });
}

/** Adds an event that waits to be recorded. */
async function insertRunEvent(sql: Sql, event: RunEvent): Promise<void> {
  const { run_id: id, number } = event;
  await sql('INSERT INTO run_event (run_id, number, event) VALUES (:id, :number, :event)', {
    ...{ id, number, event: JSON.stringify(event) },
  });
}

/** Adds the latest checkpoint of a run and removes the oldest one, if there are too many. */
async function insertCheckpoint(
  sql: Sql,
  { id, checkpoint: version, changedAt: at }: StoredRun,
  state: string,
): Promise<void> {
  await sql('INSERT INTO run_checkpoint (run_id, version, at, state) VALUES (:id, :version, :at, :state)', {
    id,
    version,
    at,
    state,
  });
  await sql('DELETE FROM run_checkpoint WHERE run_id = :id AND version <= :old', {
    ...{ id, old: version - KEPT_CHECKPOINTS },
  });
}

/** Ids in one statement. */
const MAX_IDS = 500;
/** Most that the clock may be set back (ms) without a valid lease being taken for one from the future. */
const MAX_STEP_MS = 2_000;
/** Runs with waiting events that one query returns. */
const MAX_WAITING = 100;

/**
 * Stores the state of runs. Several processes may share one store; each method is atomic among them. The events of a
 * change are stored with it and wait until somebody has recorded them in the run ledger. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export class RunStore {
  constructor(private readonly database: SqlDatabase) {}

  /** Stores a new run and its event. */
  create(run: StoredRun, event: RunEvent): Promise<void> {
    return this.database.write(async (sql) => {
      await insertRun(sql, run);
      await insertRunEvent(sql, event);
    });
  }

  /**
   * Changes a run and stores the event.
   * @param change  pure; gets the run as it is now, and throws if it can't be changed so
   * @returns the run after the change; null for an unknown run
   */
  change(key: RunKey, change: (run: StoredRun) => RunChange): Promise<StoredRun | null> {
    return this.database.write(async (sql) => {
      const before = await find(sql, key);
      if (!before) return null;
      const { run, event, state } = change(before);
      if (!event) return run;
      await updateRun(sql, run);
      await insertRunEvent(sql, event);
      if (state !== undefined) await insertCheckpoint(sql, run, state);
      return run;
    });
  }

  /** Null for an unknown run. */
  get(key: RunKey): Promise<StoredRun | null> {
    return this.database.read((sql) => find(sql, key));
  }

  /** Newest first. */
  list({ status, type, after, limit, ...reader }: RunListQuery): Promise<ListedRun[]> {
    const { principal, orWithin } = reader;
    const filters = {
      ...(status && { status }),
      ...(type !== undefined && { type }),
      ...(principal !== null && !orWithin && { principal }),
    };
    const conditions = [
      IN_SPACE,
      'position < :before',
      ...Object.keys(filters).map((name) => `${name} = :${name}`),
    ];
    const statement = `SELECT run, position FROM run WHERE ${conditions.join(' AND ')}
      ORDER BY position DESC LIMIT :limit`;
    return this.database.read((sql) =>
      newestVisible(
        { before: after, limit },
        async (page) => {
          const rows = await sql(statement, { ...spaceValues(reader), ...filters, ...page });
          return rows.map((row) => ({ run: runOfRow(row), position: Number(row['position']) }));
        },
        async (runs) => runs.filter(({ run }) => isSeen(run, reader)),
      ),
    );
  }

  /** A checkpoint of a run that the key names. @param version  0 for the latest @returns null if it is not kept */
  checkpoint(key: RunKey, version: number): Promise<RunCheckpoint | null> {
    return this.database.read(async (sql) => {
      const run = await find(sql, key);
      if (!run) return null;
      const [row] = await sql(
        'SELECT version, at, state FROM run_checkpoint WHERE run_id = :id AND version = :version',
        { id: run.id, version: version === 0 ? run.checkpoint : version },
      );
      return row
        ? { version: Number(row['version']), at: Number(row['at']), state: String(row['state']) }
        : null;
    });
  }

  /**
   * Leases the waiting events of a run, in order. Only the clock of the database counts, not those of servers.
   * @returns null if none waits; [] if another lease is valid
   */
  async lease(runId: string, by: string, forMs: number): Promise<readonly RunEvent[] | null> {
    const select =
      'SELECT event, claimed_by, claimed_until FROM run_event WHERE run_id = :runId ORDER BY number';
    const waiting = await this.database.read((sql) => sql(select, { runId }));
    if (waiting.length === 0) return null;
    return this.database.write(async (sql) => {
      const rows = await sql(select, { runId });
      if (rows.length === 0) return null;
      const now = await this.database.now(sql);
      const until = now + forMs;
      // A lease that ends much later than a new one was taken before the clock stepped back.
      const isValid = (end: number): boolean => end > now && end <= until + MAX_STEP_MS;
      if (rows.some((row) => row['claimed_by'] !== by && isValid(Number(row['claimed_until'])))) return [];
      await sql('UPDATE run_event SET claimed_by = :by, claimed_until = :until WHERE run_id = :runId', {
        ...{ by, until, runId },
      });
      return rows.map(eventOfRow);
    });
  }

  /** Forgets the events up to this number, which are recorded. */
  async recorded(runId: string, through: number): Promise<void> {
    await this.database.write((sql) =>
      sql('DELETE FROM run_event WHERE run_id = :runId AND number <= :through', { runId, through }),
    );
  }

  /** Ends a lease early. */
  async release(runId: string, by: string): Promise<void> {
    await this.database.write((sql) =>
      sql('UPDATE run_event SET claimed_until = 0 WHERE run_id = :runId AND claimed_by = :by', { runId, by }),
    );
  }

  /** Ids of runs with events that wait, at most 100. */
  async waiting(space: WorkSpace): Promise<string[]> {
    const statement = `SELECT DISTINCT run_id FROM run_event JOIN run ON run.id = run_id
      WHERE ${IN_SPACE} ORDER BY run_id LIMIT ${MAX_WAITING}`;
    const rows = await this.database.read((sql) => sql(statement, spaceValues(space)));
    return rows.map((row) => String(row['run_id']));
  }

  /**
   * Removes runs of one place that were last changed before a time (ms since the epoch) and have no event that waits.
   * @returns their number
   */
  purge(space: WorkSpace, before: number): Promise<number> {
    return this.database.write(async (sql) => {
      const removed = await sql(
        `DELETE FROM run WHERE ${IN_SPACE} AND changed_at < :before
         AND NOT EXISTS (SELECT 1 FROM run_event WHERE run_id = run.id) RETURNING id`,
        { ...spaceValues(space), before },
      );
      const ids = removed.map((row) => String(row['id']));
      for (let i = 0; i < ids.length; i += MAX_IDS) {
        const { condition, values } = isOneOf('run_id', ids.slice(i, i + MAX_IDS));
        await sql(`DELETE FROM run_checkpoint WHERE ${condition}`, values);
      }
      return removed.length;
    });
  }
}

async function find(sql: Sql, { id, ...reader }: RunKey): Promise<StoredRun | null> {
  const [row] = await sql(`SELECT run FROM run WHERE id = :id AND ${IN_SPACE}`, {
    id,
    ...spaceValues(reader),
  });
  const run = row ? runOfRow(row) : null;
  return run && isSeen(run, reader) ? run : null;
}
