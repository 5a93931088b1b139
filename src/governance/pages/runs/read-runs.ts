import type { Scope } from '../../../core/scope.js';
import { type Ledger } from '../../ledger/ledger.js';
import {
  type ApprovalDecidedEvent,
  type ApprovalRequestedEvent,
  type ApprovalUsedEvent,
  type CallCompletedEvent,
  isRunEvent,
  type RunEvent,
} from '../../ledger/ledger-event.js';
import {
  type LedgerLine,
  type LedgerRun,
  MAX_LEDGER_LINES,
  type RunPage,
  type RunQuery,
} from '../../ledger/ledger-line.js';
import { isLineWithin } from '../../ledger/line-scope.js';

/** How long a page looks for runs that match (ms); the next page continues. */
const PATIENCE_MS = 400;
/** Lines on the page of a run. */
const LINES = 400;
/** Lines that are searched for those within the scope of an operator. */
const MAX_SEARCHED = 20_000;

/** A page of runs. It may have fewer runs than its limit, or none, even if older ones follow. */
export async function findRuns(
  ledger: Pick<Ledger, 'runs'>,
  query: RunQuery,
  now: () => number,
): Promise<RunPage> {
  const end = now() + PATIENCE_MS;
  const runs: LedgerRun[] = [];
  for (let { before } = query; ;) {
    const page = await ledger.runs({ ...query, before, limit: query.limit - runs.length });
    runs.push(...page.runs);
    if (page.older === null || runs.length >= query.limit || now() >= end) return { runs, older: page.older };
    before = page.older;
  }
}

/** A call of a run. */
export interface RunCall {
  readonly kind: 'call';
  readonly id: string;
  readonly tool: string;
  readonly agent: string;
  readonly rule: string | null;
  readonly effect: string | null;
  /** Canonical JSON, clipped; null if the arguments were not recorded. */
  readonly argumentsText: string | null;
  /** ISO-8601; null if the start was not recorded on this page, as for refused calls. */
  readonly startedAt: string | null;
  /** Null if the end is not recorded on this page. */
  readonly ended: { readonly at: string; readonly event: CallCompletedEvent } | null;
}

type ApprovalEvent = ApprovalRequestedEvent | ApprovalDecidedEvent | ApprovalUsedEvent;

/** A call of a run asked for an approval, somebody decided about it, or a call used it. */
export interface RunApproval {
  readonly kind: 'approval';
  /** ISO-8601. */
  readonly at: string;
  readonly event: ApprovalEvent;
}

/** An event about the run itself, such as a step. */
export interface RunMark {
  readonly kind: 'mark';
  /** ISO-8601. */
  readonly at: string;
  readonly event: RunEvent;
}

export type RunEntry = RunCall | RunApproval | RunMark;

/** A part of a run. */
export interface RunTimeline {
  readonly runId: string;
  readonly principal: string;
  /** In the order of their first lines. */
  readonly entries: readonly RunEntry[];
  /** The last line of this page if further ones follow, else null. */
  readonly next: number | null;
}

const isOfApproval = (event: LedgerLine['event']): event is ApprovalEvent =>
  event.type.startsWith('approval.');

function entriesOf(lines: readonly LedgerLine[]): RunEntry[] {
  const calls = new Map<string, RunCall>();
  const entries = new Map<string, RunEntry>();
  for (const { event, time, seq } of lines) {
    if (isOfApproval(event)) entries.set(`line ${seq}`, { kind: 'approval', at: time, event });
    if (isRunEvent(event)) entries.set(`line ${seq}`, { kind: 'mark', at: time, event });
    if (event.type !== 'tool.call.started' && event.type !== 'tool.call.completed') continue;
    const { call_id: id, tool, agent, rule, effect } = event;
    const unknown = { argumentsText: null, startedAt: null, ended: null };
    const known = calls.get(id) ?? { kind: 'call', id, tool, agent, rule, effect, ...unknown };
    const seen =
      event.type === 'tool.call.started'
        ? { startedAt: time, argumentsText: event.arguments ?? null }
        : { ended: { at: time, event } };
    const call = { ...known, ...seen };
    calls.set(id, call);
    entries.set(`call ${id}`, call);
  }
  return [...entries.values()];
}

/** A part of a run to read. */
export interface TimelineQuery {
  readonly runId: string;
  /** The last line of the page before; 0 for the first page. */
  readonly after: number;
  /** Only lines that are recorded within this scope; null for all lines. */
  readonly scope: Scope | null;
}

/** The lines of a page. */
interface PageLines {
  readonly lines: readonly LedgerLine[];
  /** The line after which the next page begins; null for the last page. */
  readonly next: number | null;
}

function pageOf(found: readonly LedgerLine[]): PageLines {
  const lines = found.slice(0, LINES);
  return { lines, next: found.length > LINES ? (lines.at(-1)?.seq ?? null) : null };
}

async function readPage(
  ledger: Pick<Ledger, 'lines'>,
  { runId, after, scope }: TimelineQuery,
): Promise<PageLines> {
  if (!scope) return pageOf(await ledger.lines({ runId, after, from: 'oldest', limit: LINES + 1 }));
  const found: LedgerLine[] = [];
  let last = after;
  for (let searched = 0; searched < MAX_SEARCHED && found.length <= LINES; searched += MAX_LEDGER_LINES) {
    const page = await ledger.lines({ runId, after: last, from: 'oldest', limit: MAX_LEDGER_LINES });
    found.push(...page.filter(({ event }) => isLineWithin(scope, event)));
    last = page.at(-1)?.seq ?? last;
    if (page.length < MAX_LEDGER_LINES) return pageOf(found);
  }
  return found.length > LINES ? pageOf(found) : { lines: found, next: last };
}

/** The calls, approvals and events of a run. @returns null if no line may be seen */
export async function readTimeline(
  ledger: Pick<Ledger, 'lines'>,
  query: TimelineQuery,
): Promise<RunTimeline | null> {
  const { lines, next } = await readPage(ledger, query);
  const [first] = lines;
  if (!first && next === null) return null;
  const principal = first && 'principal' in first.event ? first.event.principal : '';
  return {
    runId: query.runId,
    principal,
    entries: entriesOf(lines),
    next,
  };
}
