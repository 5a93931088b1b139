import { BackendUnavailableError, InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import type { SchemaRef } from '../schemas/schema-store.js';
import type { WorkSpace } from '../work-space.js';

/** Where a run stands. The last three are final. */
export const RUN_STATUSES = ['created', 'started', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Checkpoints of a run that are kept; older ones are removed. */
export const KEPT_CHECKPOINTS = 10;

/** A run of an agent. Texts of JSON are canonical. */
export interface StoredRun extends WorkSpace {
  /** Not guessable; letters, digits and `_`. */
  readonly id: string;
  /** The owner. */
  readonly principal: string;
  readonly agent: string;
  /** Scope of the call that created the run; absent in runs of earlier versions. */
  readonly scope?: Scope;
  readonly type: string;
  readonly name: string | null;
  /** JSON; null if none was given. */
  readonly config: string | null;
  /** SHA-256 of the manifest that the run reads; null if none was given. */
  readonly inputManifest: string | null;
  /** The schema that the data of every step has to fit; null for any data. */
  readonly stepSchema: SchemaRef | null;
  readonly status: RunStatus;
  /** Milliseconds since the epoch; null before. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The time of the last event. */
  readonly changedAt: number;
  /** JSON of the result, the error, or the reason of the cancellation; null if none was given. */
  readonly outcome: string | null;
  /** SHA-256 of the manifest that the run has made; null if none was given. */
  readonly outputManifest: string | null;
  /** Number of events so far, which is the number of the last one. */
  readonly events: number;
  /** Version of the latest checkpoint; 0 for none. */
  readonly checkpoint: number;
}

/** A change of a run, with the event that records it. */
export interface RunChange {
  /** After the change. */
  readonly run: StoredRun;
  /** Null if nothing changes, because the same change was made before. */
  readonly event: RunEvent | null;
  /** JSON to store as the version `run.checkpoint`; absent if the change is not a checkpoint. */
  readonly state?: string;
}

/** The runs that a caller may see. */
export interface RunReader extends WorkSpace {
  /** Only runs of this principal; null for those of all. */
  readonly principal: string | null;
  /** Also runs of others that were created within this scope. */
  readonly orWithin?: Scope;
}

/** A run that a caller may see. */
export interface RunKey extends RunReader {
  readonly id: string;
}

/** Selects runs of one place. */
export interface RunListQuery extends RunReader {
  readonly status?: RunStatus;
  readonly type?: string;
  /** Only runs that the list shows after this position. */
  readonly after?: number;
  /** At least 1. */
  readonly limit: number;
}

/** A run in a list. */
export interface ListedRun {
  readonly run: StoredRun;
  /** Counts the runs of one place; the newest run has the largest. */
  readonly position: number;
}

/** A stored state of a run. */
export interface RunCheckpoint {
  readonly version: number;
  /** JSON. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** There is no such run, or it belongs to somebody else. */
export function unknownRun(): InvalidArgumentError {
  return new InvalidArgumentError('You have no run with this run_id.', {
    reason: 'run_not_found',
    hint: 'Call run.list for your runs.',
  });
}

/** The status of the run does not allow this change. @param needed  the statuses that do */
function wrongStatus({ id, status }: StoredRun, needed: readonly RunStatus[]): InvalidArgumentError {
  const next: Partial<Record<RunStatus, string>> = {
    created: 'Call run.start first.',
    started: 'The run has started already. Go on, or end it with run.complete, run.fail or run.cancel.',
  };
  return new InvalidArgumentError(`The run is ${status}; this needs a run that is ${needed.join(' or ')}.`, {
    reason: 'wrong_status',
    hint: next[status] ?? 'The run has ended. Call run.create for another one.',
    details: { run_id: id, status },
  });
}

/** The run has ended in this way, with other arguments. */
function endedOtherwise({ id, status }: StoredRun): InvalidArgumentError {
  return new InvalidArgumentError(`The run is ${status} already, with other arguments.`, {
    reason: 'conflict',
    hint: 'Call run.get for what was recorded. A run ends once.',
    details: { run_id: id, status },
  });
}

/** Another checkpoint was stored meanwhile. */
function checkpointConflict({ id, checkpoint }: StoredRun): InvalidArgumentError {
  return new InvalidArgumentError(`The latest checkpoint of the run has the version ${checkpoint}.`, {
    reason: 'conflict',
    hint: 'Call run.get with checkpoint 0 for its state, then send expected_version with this version.',
    details: { run_id: id, version: checkpoint },
  });
}

/** The run has no such checkpoint, or it was removed. */
export function unknownCheckpoint({ id, checkpoint }: StoredRun): InvalidArgumentError {
  return new InvalidArgumentError('This checkpoint of the run is not kept.', {
    reason: 'checkpoint_not_found',
    hint:
      checkpoint === 0
        ? 'The run has no checkpoint. Call run.get without checkpoint.'
        : `The latest version is ${checkpoint}; the last ${KEPT_CHECKPOINTS} are kept.`,
    details: { run_id: id, version: checkpoint },
  });
}

/** An operator asks for the state of a run of somebody else. */
export function notOwner(): ScopeViolationError {
  return new ScopeViolationError('Only the owner of a run can read the state of its checkpoints.', {
    reason: 'not_owner',
    hint: 'Call run.get without checkpoint.',
  });
}

/** The process has no ledger, as in commands. */
export function runsNeedLedger(): BackendUnavailableError {
  return new BackendUnavailableError('Runs need the run ledger, which is not open here.', {
    reason: 'ledger_off',
    hint: 'Call the tool at a server.',
  });
}

/** The way in which a run ends. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Canonical JSON of the result, the error or the reason; null for none. */
  readonly outcome: string | null;
  readonly outputManifest: string | null;
}

/** A run that was completed or failed has been started; one that was only created can be cancelled. */
const ENDS_FROM: Readonly<Record<RunEnd['status'], readonly RunStatus[]>> = {
  completed: ['started'],
  failed: ['started'],
  cancelled: ['created', 'started'],
};

function check(run: StoredRun, needed: readonly RunStatus[]): void {
  if (!needed.includes(run.status)) throw wrongStatus(run, needed);
}

const numbered = (run: StoredRun, at: number): StoredRun => ({
  ...run,
  changedAt: at,
  events: run.events + 1,
});

/** The run after its start. @param at  milliseconds since the epoch @throws InvalidArgumentError `wrong_status` */
export function startedRun(run: StoredRun, at: number): StoredRun {
  check(run, ['created']);
  return { ...numbered(run, at), status: 'started', startedAt: at };
}

/**
 * The run after its end.
 * @returns the same object if it has ended so before
 * @throws InvalidArgumentError `wrong_status`; `conflict` if it has ended so with other arguments
 */
export function endedRun(run: StoredRun, end: RunEnd, at: number): StoredRun {
  if (run.status === end.status) {
    if (run.outcome === end.outcome && run.outputManifest === end.outputManifest) return run;
    throw endedOtherwise(run);
  }
  check(run, ENDS_FROM[end.status]);
  return { ...numbered(run, at), ...end, endedAt: at };
}

/** The run after a step of it started or is complete. @throws InvalidArgumentError `wrong_status` */
export function logStep(run: StoredRun, at: number): StoredRun {
  check(run, ['started']);
  return numbered(run, at);
}

/**
 * The run after a checkpoint, which gets the next version.
 * @param expected  version of the latest checkpoint, 0 for none; null for any
 * @throws InvalidArgumentError `wrong_status`; `conflict` if the latest checkpoint is another one
 */
export function addCheckpoint(run: StoredRun, expected: number | null, at: number): StoredRun {
  check(run, ['started']);
  if (expected !== null && expected !== run.checkpoint) throw checkpointConflict(run);
  return { ...numbered(run, at), checkpoint: run.checkpoint + 1 };
}
