import { BackendUnavailableError, InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { KEPT_CHECKPOINTS, type RunStatus, type StoredRun } from './run.js';

/** There is no such run, or it belongs to somebody else. */
export function unknownRun(): InvalidArgumentError {
  return new InvalidArgumentError('You have no run with this run_id.', {
    reason: 'run_not_found',
    hint: 'Call run.list for your runs.',
  });
}

/** A run can't be changed so where it stands. @param needed  the statuses in which it can */
export function wrongStatus({ id, status }: StoredRun, needed: readonly RunStatus[]): InvalidArgumentError {
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
export function endedOtherwise({ id, status }: StoredRun): InvalidArgumentError {
  return new InvalidArgumentError(`The run is ${status} already, with other arguments.`, {
    reason: 'conflict',
    hint: 'Call run.get for what was recorded. A run ends once.',
    details: { run_id: id, status },
  });
}

/** Another checkpoint was stored meanwhile. */
export function checkpointConflict({ id, checkpoint }: StoredRun): InvalidArgumentError {
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
