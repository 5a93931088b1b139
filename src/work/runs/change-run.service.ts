import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { type Reply, wholeReply } from '../../core/reply.js';
import { createdRunId } from '../../governance/ledger/call-ledger.js';
import { ledgerFactsOf } from '../../governance/ledger/completed-event.js';
import { argumentsText, recordedWord } from '../../governance/ledger/ledger.stage.js';
import type {
  RunChangedEvent,
  RunCheckpointEvent,
  RunCreatedEvent,
  RunFacts,
  RunStepEvent,
} from '../../governance/ledger/ledger-event.js';
import type { CheckedCall } from '../../mcp/define-tool.js';
import { RegisteredSchemasService, type WantedSchema } from '../schemas/registered-schemas.service.js';
import { projectOf } from '../work-space.js';
import { briefOf, ownKey } from './read-run.service.js';
import {
  addCheckpoint,
  endedRun,
  logStep,
  type RunChange,
  type RunEnd,
  runsNeedLedger,
  startedRun,
  type StoredRun,
  unknownRun,
} from './run.js';
import { RunJournal } from './run-journal.js';
import { RunStore } from './run-store.js';
import type { RunBrief } from './runs.schemas.js';

/** A step as a caller reports it. */
interface RunStep {
  readonly name: string;
  readonly event: 'start' | 'complete';
  /** Canonical JSON; null for none. */
  readonly data: string | null;
  readonly durationMs: number | null;
  readonly success: boolean | null;
}

/** The call that changes a run. */
interface ChangingCall {
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
function createdEvent(run: StoredRun, by: ChangingCall): RunCreatedEvent {
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
const startedEvent = (run: StoredRun, by: ChangingCall): RunChangedEvent => ({
  type: 'run.started',
  ...factsOf(run, by, null),
});

/** For the ledger: a run has ended. */
const endedEvent = (run: StoredRun, by: ChangingCall, { status }: RunEnd): RunChangedEvent => ({
  type: `run.${status}`,
  ...factsOf(run, by, run.outcome),
  ...manifestOf(run.outputManifest),
});

/** For the ledger: a step of a run. */
const stepEvent = (run: StoredRun, by: ChangingCall, step: RunStep): RunStepEvent => ({
  type: 'run.step',
  ...factsOf(run, by, step.data),
  step: recordedWord(step.name),
  step_event: step.event,
  ...(step.durationMs === null ? {} : { duration_ms: step.durationMs }),
  ...(step.success === null ? {} : { success: step.success }),
});

/** For the ledger: a checkpoint of a run. */
const checkpointEvent = (run: StoredRun, by: ChangingCall, state: string): RunCheckpointEvent => ({
  type: 'run.checkpoint',
  ...factsOf(run, by, null),
  checkpoint_version: run.checkpoint,
  bytes: Buffer.byteLength(state),
});

const END_TOOLS = { completed: 'run.complete', failed: 'run.fail', cancelled: 'run.cancel' } as const;

/** A run to create. JSON is canonical; null stands for what was not given. */
interface NewRun extends Pick<StoredRun, 'type' | 'name' | 'config' | 'inputManifest'> {
  readonly stepSchema: WantedSchema | null;
}

/** A state to store. */
interface NewCheckpoint {
  /** Canonical JSON. */
  readonly state: string;
  /** As in `addCheckpoint`. */
  readonly expected: number | null;
}

/** Changes runs of the caller. A call is answered when the store and the run ledger have the change. */
@Injectable()
export class ChangeRunService {
  constructor(
    private readonly store: RunStore,
    @Inject(RunJournal) private readonly journal: RunJournal | null,
    private readonly schemas: RegisteredSchemasService,
  ) {}

  /** @throws InvalidArgumentError `schema_not_found`; BackendUnavailableError, as all methods */
  async create(call: Call, given: NewRun): Promise<Reply<RunBrief>> {
    const journal = this.openJournal();
    const { caller } = call;
    const schema = given.stepSchema && (await this.schemas.find(call, given.stepSchema));
    const at = call.now();
    const run: StoredRun = {
      id: createdRunId(),
      ...projectOf(call),
      ...{ principal: caller.principal, agent: caller.agent, scope: call.scope },
      ...given,
      stepSchema: schema && { name: schema.name, version: schema.version },
      ...{ status: 'created', createdAt: at, startedAt: null, endedAt: null, changedAt: at },
      ...{ outcome: null, outputManifest: null, events: 1, checkpoint: 0 },
    };
    await this.store.create(run, createdEvent(run, { call, tool: 'run.create' }));
    await journal.settle(run.id);
    return replyOf(run);
  }

  /** @throws InvalidArgumentError `run_not_found` */
  async check(call: Call, runId: string): Promise<void> {
    if (!(await this.store.get(ownKey(call, runId)))) throw unknownRun();
  }

  /** @throws InvalidArgumentError `run_not_found`, `wrong_status` */
  start(call: Call, runId: string): Promise<Reply<RunBrief>> {
    return this.change(call, runId, (before) => {
      const run = startedRun(before, call.now());
      return { run, event: startedEvent(run, { call, tool: 'run.start' }) };
    });
  }

  /** @throws InvalidArgumentError `run_not_found`, `wrong_status`, `conflict` */
  end(call: Call, runId: string, end: RunEnd): Promise<Reply<RunBrief>> {
    return this.change(call, runId, (before) => {
      const run = endedRun(before, end, call.now());
      const tool = END_TOOLS[end.status];
      return { run, event: run === before ? null : endedEvent(run, { call, tool }, end) };
    });
  }

  /** @throws InvalidArgumentError `run_not_found`, `wrong_status`, `schema_violation`, `schema_too_costly` */
  async logStep(call: Call, runId: string, step: RunStep): Promise<Reply<RunBrief>> {
    await this.checkStep(call, runId, step);
    return this.change(call, runId, (before) => {
      const run = logStep(before, call.now());
      return { run, event: stepEvent(run, { call, tool: 'run.log_step' }, step) };
    });
  }

  /** @throws InvalidArgumentError `run_not_found`, `wrong_status`, `conflict` */
  checkpoint(call: Call, runId: string, { state, expected }: NewCheckpoint): Promise<Reply<RunBrief>> {
    return this.change(call, runId, (before) => {
      const run = addCheckpoint(before, expected, call.now());
      return { run, state, event: checkpointEvent(run, { call, tool: 'run.checkpoint' }, state) };
    });
  }

  /** The schema of a run never changes, so it can be applied before the run is locked. */
  private async checkStep(call: Call, runId: string, { data }: RunStep): Promise<void> {
    const run = await this.store.get(ownKey(call, runId));
    if (!run?.stepSchema) return;
    logStep(run, call.now());
    await this.schemas.check(call, run.stepSchema, {
      what: data === null ? 'A step without data counts as null, which' : 'data',
      text: data ?? 'null',
      advice: 'Send the step again with data that fits.',
    });
  }

  private async change(
    call: Call,
    runId: string,
    change: (run: StoredRun) => RunChange,
  ): Promise<Reply<RunBrief>> {
    const journal = this.openJournal();
    const run = await this.store.change(ownKey(call, runId), change);
    if (!run) throw unknownRun();
    // Also after a repeated call: the event of the first one may still wait.
    await journal.settle(run.id);
    return replyOf(run);
  }

  private openJournal(): RunJournal {
    if (!this.journal) throw runsNeedLedger();
    return this.journal;
  }
}

/** For the definitions of tools that change a run: nobody is asked to approve a change of an unknown run. */
export const CHECKS_RUN = {
  checkReady: ({ call, input, service }: CheckedCall<{ readonly run_id: string }>): Promise<void> =>
    service(ChangeRunService).check(call, input.run_id),
} as const;

const replyOf = (run: StoredRun): Reply<RunBrief> => wholeReply(briefOf(run));
