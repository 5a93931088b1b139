import { isRunEvent, type LedgerEvent, type RunEvent } from '../../core/ledger/ledger-event.js';
import type { LedgerLine } from '../../core/ledger/ledger-line.js';
import type { Scope } from '../../core/scope.js';
import { isLineWithin } from '../../governance/ledger/line-scope.js';
import { SHOWN_TYPES, type ShownEvent } from './runs.schemas.js';

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

/** What the caller of a call learned as well: not the rule, nor which policy refused it. */
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
