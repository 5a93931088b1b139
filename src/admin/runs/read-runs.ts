import type { CallCompletedEvent } from '../../core/ledger/ledger-event.js';
import type { LedgerLine } from '../../core/ledger/ledger-line.js';
import type { LedgerRun, RunPage } from '../../core/ledger/ledger-run.js';
import type { Ledger, RunQuery } from '../../core/ports/ledger.port.js';

/** How long a page looks for runs that match (ms); the next page continues. */
const PATIENCE_MS = 400;
/** Lines on the page of a run. */
const LINES = 400;

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

/** A part of a run. */
export interface RunTimeline {
  readonly runId: string;
  readonly principal: string;
  /** In the order of their first lines. */
  readonly calls: readonly RunCall[];
  /** The last line of this page if further ones follow, else null. */
  readonly next: number | null;
}

function callsOf(lines: readonly LedgerLine[]): RunCall[] {
  const calls = new Map<string, RunCall>();
  for (const { event, time } of lines) {
    if (event.type !== 'tool.call.started' && event.type !== 'tool.call.completed') continue;
    const { call_id: id, tool, agent, rule, effect } = event;
    const unknown = { argumentsText: null, startedAt: null, ended: null };
    const known = calls.get(id) ?? { id, tool, agent, rule, effect, ...unknown };
    const seen =
      event.type === 'tool.call.started'
        ? { startedAt: time, argumentsText: event.arguments ?? null }
        : { ended: { at: time, event } };
    calls.set(id, { ...known, ...seen });
  }
  return [...calls.values()];
}

/** The calls of a run. @param after  the last line of the page before; 0 for the first page. @returns null for no lines */
export async function readTimeline(
  ledger: Pick<Ledger, 'lines'>,
  runId: string,
  after: number,
): Promise<RunTimeline | null> {
  const lines = await ledger.lines({ runId, after, from: 'oldest', limit: LINES + 1 });
  const shown = lines.slice(0, LINES);
  const [first] = shown;
  if (!first) return null;
  const principal = 'principal' in first.event ? first.event.principal : '';
  return {
    runId,
    principal,
    calls: callsOf(shown),
    next: lines.length > LINES ? (shown.at(-1)?.seq ?? null) : null,
  };
}
