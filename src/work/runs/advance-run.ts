import type { RunStatus, StoredRun } from './run.js';
import { checkpointConflict, endedOtherwise, wrongStatus } from './run-failures.js';

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
