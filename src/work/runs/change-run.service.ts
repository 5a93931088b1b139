import { Inject, Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { type Reply, wholeReply } from '../../core/reply.js';
import { createdRunId } from '../../governance/ledger/created-run.js';
import type { CheckedCall } from '../../mcp/define-tool.js';
import { projectOf } from '../project-of.js';
import { RegisteredSchemasService, type WantedSchema } from '../schemas/registered-schemas.service.js';
import { addCheckpoint, endedRun, logStep, type RunEnd, startedRun } from './advance-run.js';
import type { RunChange, StoredRun } from './run.js';
import {
  checkpointEvent,
  createdEvent,
  endedEvent,
  type RunStep,
  startedEvent,
  stepEvent,
} from './run-events.js';
import { runsNeedLedger, unknownRun } from './run-failures.js';
import { RunJournal } from './run-journal.js';
import { ownKey } from './run-keys.js';
import { RunStore } from './run-store.js';
import { briefOf } from './run-view.js';
import type { RunBrief } from './runs.schemas.js';

const END_TOOLS = { completed: 'run.complete', failed: 'run.fail', cancelled: 'run.cancel' } as const;

/** A run to create. JSON is canonical; null stands for what was not given. */
export interface NewRun extends Pick<StoredRun, 'type' | 'name' | 'config' | 'inputManifest'> {
  readonly stepSchema: WantedSchema | null;
}

/** A state to store. */
export interface NewCheckpoint {
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
