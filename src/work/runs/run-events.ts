import type { Call } from '../../core/call.js';
import { argumentsText, recordedWord } from '../../governance/ledger/arguments-text.js';
import { ledgerFactsOf } from '../../governance/ledger/completed-event.js';
import type {
  RunChangedEvent,
  RunCheckpointEvent,
  RunCreatedEvent,
  RunFacts,
  RunStepEvent,
} from '../../governance/ledger/ledger-event.js';
import type { RunEnd } from './advance-run.js';
import type { StoredRun } from './run.js';

/** A step as a caller reports it. */
export interface RunStep {
  readonly name: string;
  readonly event: 'start' | 'complete';
  /** Canonical JSON; null for none. */
  readonly data: string | null;
  readonly durationMs: number | null;
  readonly success: boolean | null;
}

/** The call that changes a run. */
export interface ChangingCall {
  readonly call: Call;
  readonly tool: string;
}

/** @param json  canonical; null for none */
function factsOf({ id, events }: StoredRun, { call, tool }: ChangingCall, json: string | null): RunFacts {
  const data = json === null ? {} : { data: argumentsText(JSON.parse(json), false) };
  return { ...ledgerFactsOf(call, tool), run_id: id, number: events, ...data };
}

const manifestOf = (sha256: string | null) => (sha256 === null ? {} : { manifest_sha256: sha256 });

/** For the ledger: a run was created. */
export function createdEvent(run: StoredRun, by: ChangingCall): RunCreatedEvent {
  const { type, name, config, inputManifest } = run;
  return {
    type: 'run.created',
    ...factsOf(run, by, config),
    run_type: type,
    name: name === null ? null : recordedWord(name),
    ...manifestOf(inputManifest),
  };
}

/** For the ledger: a run has started. @param run  after the change, as with the others */
export const startedEvent = (run: StoredRun, by: ChangingCall): RunChangedEvent => ({
  type: 'run.started',
  ...factsOf(run, by, null),
});

/** For the ledger: a run has ended. */
export const endedEvent = (run: StoredRun, by: ChangingCall, { status }: RunEnd): RunChangedEvent => ({
  type: `run.${status}`,
  ...factsOf(run, by, run.outcome),
  ...manifestOf(run.outputManifest),
});

/** For the ledger: a step of a run. */
export const stepEvent = (run: StoredRun, by: ChangingCall, step: RunStep): RunStepEvent => ({
  type: 'run.step',
  ...factsOf(run, by, step.data),
  step: recordedWord(step.name),
  step_event: step.event,
  ...(step.durationMs === null ? {} : { duration_ms: step.durationMs }),
  ...(step.success === null ? {} : { success: step.success }),
});

/** For the ledger: a checkpoint of a run. */
export const checkpointEvent = (run: StoredRun, by: ChangingCall, state: string): RunCheckpointEvent => ({
  type: 'run.checkpoint',
  ...factsOf(run, by, null),
  checkpoint_version: run.checkpoint,
  bytes: Buffer.byteLength(state),
});
