import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import type { Scope } from '../../core/scope.js';
import { Ledger } from '../../governance/ledger/ledger.js';
import { isRunEvent, type LedgerEvent, type RunEvent } from '../../governance/ledger/ledger-event.js';
import type { LedgerLine } from '../../governance/ledger/ledger-line.js';
import { isLineWithin } from '../../governance/ledger/line-scope.js';
import { Draining } from '../../mcp/http/draining.js';
import { readableKey } from './read-run.service.js';
import { runsNeedLedger, type RunStatus, type StoredRun, unknownRun } from './run.js';
import { RunJournal } from './run-journal.js';
import { RunStore } from './run-store.js';
import { type RunEventsPage, SHOWN_TYPES, type ShownEvent } from './runs.schemas.js';

type ShownType = (typeof SHOWN_TYPES)[number];
type ShownFacts = Omit<ShownEvent, 'sequence' | 'time' | 'type' | 'call_id' | 'tool'>;

const isShown = (type: string): type is ShownType => SHOWN_TYPES.some((each) => each === type);

function runFacts(event: RunEvent): ShownFacts {
  const { number, data } = event;
  const facts = { number, ...(data === undefined ? {} : { data }) };
  if (event.type === 'run.checkpoint') return { ...facts, checkpoint_version: event.checkpoint_version };
  if (event.type === 'run.step') {
    const { step, step_event, success, duration_ms } = event;
    return {
      ...{ ...facts, step, step_event },
      ...(success === undefined ? {} : { success }),
      ...(duration_ms === undefined ? {} : { duration_ms }),
    };
  }
  return event.manifest_sha256 === undefined ? facts : { ...facts, manifest_sha256: event.manifest_sha256 };
}

/** The facts of a call that its caller was told too: neither the rule nor the policy that refused it. */
function factsOf(event: LedgerEvent): ShownFacts {
  if (isRunEvent(event)) return runFacts(event);
  if (event.type === 'tool.call.completed') {
    const { executed, outcome, duration_ms, error_code } = event;
    if (!executed) return { outcome: outcome === 'waiting' ? outcome : 'not_executed' };
    return { outcome, duration_ms, ...(error_code === null ? {} : { error_code }) };
  }
  if (event.type === 'approval.decided') return { approval_id: event.approval_id, verdict: event.verdict };
  return 'approval_id' in event && event.approval_id !== undefined ? { approval_id: event.approval_id } : {};
}

/** Selects lines of a run. */
export interface EventFilter {
  /** Null for all types. */
  readonly types: readonly string[] | null;
  /** Only lines within this scope. Several projects can share a ledger. */
  readonly scope: Scope;
  /** Calls of this tool are not shown: a caller that follows a run would follow itself. */
  readonly ownTool: string;
}

/** A line of a run as its owner sees it; null if it is not shown. */
export function shownEvent(line: LedgerLine, { types, scope, ownTool }: EventFilter): ShownEvent | null {
  const { seq, time, event } = line;
  const { type } = event;
  if (!isShown(type) || (types !== null && !types.includes(type)) || !('tool' in event)) return null;
  if (event.tool === ownTool || !isLineWithin(scope, event)) return null;
  const { call_id, tool } = event;
  return { sequence: seq, time, type, call_id, tool, ...factsOf(event) };
}

const TOOL = 'run.events';
/** Delay before the ledger is looked at again (ms). */
const POLL_MS = 200;
/** Lines that are read at once, and how often one look reads them. */
const LINES = 500;
const MAX_READS = 4;
const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

/** A part of the events of a run. */
interface EventsQuery {
  readonly runId: string;
  /** Only events after this line of the ledger. */
  readonly since: number;
  /** Null for all types. */
  readonly types: readonly string[] | null;
  readonly limit: number;
  /** How long to wait for an event, in milliseconds. */
  readonly waitMs: number;
}

interface LookQuery extends EventsQuery {
  readonly isOwner: boolean;
}

interface Look {
  readonly events: readonly ShownEvent[];
  /** The last line that was looked at. */
  readonly through: number;
  readonly hasMore: boolean;
}

/** Reads the lines of a run in the run ledger, and waits for new ones. */
@Injectable()
export class FollowRunService {
  constructor(
    private readonly store: RunStore,
    @Inject(Ledger) private readonly ledger: Ledger | null,
    @Inject(RunJournal) private readonly journal: RunJournal | null,
    @Optional() private readonly draining?: Draining,
  ) {}

  /** @throws InvalidArgumentError `run_not_found`; BackendUnavailableError; the reason of the call's signal */
  async events(call: Call, query: EventsQuery): Promise<Reply<RunEventsPage>> {
    const until = call.elapsed() + query.waitMs;
    for (let since = query.since; ;) {
      const run = await this.find(call, query.runId);
      const hasEnded = ENDED.includes(run.status);
      // A reply that says that the run has ended must contain its last event.
      if (hasEnded) await this.journal?.settle(run.id);
      const look = await this.look(call, {
        ...query,
        since,
        isOwner: run.principal === call.caller.principal,
      });
      const isOver = hasEnded || call.elapsed() >= until || this.draining?.isDraining;
      if (look.events.length > 0 || look.hasMore || isOver) return replyOf(run, look);
      since = look.through;
      await pause(POLL_MS, undefined, { signal: call.signal }).catch(() => call.signal.throwIfAborted());
    }
  }

  private async find(call: Call, runId: string): Promise<StoredRun> {
    const run = await this.store.get(readableKey(call, runId));
    if (!run) throw unknownRun();
    return run;
  }

  private async look({ scope }: Call, { runId, since, types, limit, isOwner }: LookQuery): Promise<Look> {
    const { ledger } = this;
    if (!ledger) throw runsNeedLedger();
    // Its owner sees all of a run. To others, its calls may have seen more than they may see.
    const seen = isOwner ? { ...scope, docTags: null, repositories: null, groups: null } : scope;
    const filter: EventFilter = { types, scope: seen, ownTool: TOOL };
    const events: ShownEvent[] = [];
    let through = since;
    for (let reads = 0; reads < MAX_READS; reads++) {
      const lines = await ledger.lines({ runId, after: through, from: 'oldest', limit: LINES });
      for (const line of lines) {
        const event = shownEvent(line, filter);
        if (event && events.length === limit) return { events, through, hasMore: true };
        if (event) events.push(event);
        through = line.seq;
      }
      if (lines.length < LINES) return { events, through, hasMore: false };
    }
    return { events, through, hasMore: true };
  }
}

function replyOf({ id, status }: StoredRun, { events, through, hasMore }: Look): Reply<RunEventsPage> {
  return listReply({ count: events.length, maxChars: 0, isPage: true }, (fit) => {
    const isCut = fit.count < events.length;
    const next = events[fit.count];
    return {
      run_id: id,
      status,
      events: keptOf(events, fit),
      next_since_sequence: next ? next.sequence - 1 : through,
      has_more: hasMore || isCut,
      partial: hasMore || fit.reason !== null,
      limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
      ...shownSkipped(fit),
    };
  });
}
