import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { Ledger } from '../../core/ports/ledger.port.js';
import { type RunStatus, RunStore, type StoredRun } from '../../core/ports/work/run-store.port.js';
import { keptOf, listReply, type Reply, shownSkipped } from '../../core/reply.js';
import { Draining } from '../../mcp/http/draining.js';
import { runsNeedLedger, unknownRun } from './run-failures.js';
import { RunJournal } from './run-journal.js';
import { readableKey } from './run-keys.js';
import type { RunEventsPage, ShownEvent } from './runs.schemas.js';
import { type EventFilter, shownEvent } from './shown-event.js';

const TOOL = 'run.events';
/** Delay before the ledger is looked at again (ms). */
const POLL_MS = 200;
/** Lines that are read at once, and how often one look reads them. */
const LINES = 500;
const MAX_READS = 4;
const ENDED: readonly RunStatus[] = ['completed', 'failed', 'cancelled'];

/** A part of the events of a run. */
export interface EventsQuery {
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
    const seen = isOwner ? { ...scope, docTags: null, repositories: null } : scope;
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
