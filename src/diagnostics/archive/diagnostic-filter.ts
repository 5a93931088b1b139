import { isWaiting } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import { hasScope, isWithin } from '../record/recorded-scope.js';

/** Outcomes of a call. `waiting`: it needs an approval. */
export const RECORD_OUTCOMES = ['ok', 'waiting', 'error'] as const;
export type RecordOutcome = (typeof RECORD_OUTCOMES)[number];

export function recordOutcome({ error }: Pick<DiagnosticRecord, 'error'>): RecordOutcome {
  if (!error) return 'ok';
  return isWaiting(error) ? 'waiting' : 'error';
}

/** Conditions on records; a missing one accepts all. */
export interface DiagnosticFilter {
  readonly tool?: string | undefined;
  /** ISO-8601, inclusive. */
  readonly since?: string | undefined;
  /** ISO-8601, exclusive. */
  readonly until?: string | undefined;
  readonly outcome?: RecordOutcome | undefined;
  readonly errorCode?: string | undefined;
  readonly isDegraded?: boolean | undefined;
  readonly isPartial?: boolean | undefined;
  readonly minTotalMs?: number | undefined;
  readonly sessionId?: string | undefined;
  readonly principal?: string | undefined;
  readonly answerable?: string | undefined;
  /** The scope of the reader. */
  readonly scope?: Scope | undefined;
  /** True to leave out calls that were refused before they had a scope. */
  readonly isScoped?: boolean | undefined;
}

/** The record's values for the conditions that test equality. */
function valuesOf(record: DiagnosticRecord): DiagnosticFilter {
  const { tool, error, degraded, budgets, session_id, principal, answerable } = record;
  return {
    tool,
    outcome: recordOutcome(record),
    errorCode: error?.code,
    isDegraded: degraded.length > 0,
    isPartial: budgets.partial,
    sessionId: session_id,
    principal,
    answerable: answerable?.verdict,
  };
}

/** True if a record meets all conditions. */
export function passesFilter(filter: DiagnosticFilter, record: DiagnosticRecord): boolean {
  const { since, until, minTotalMs = 0, scope, isScoped } = filter;
  if (scope && !isWithin(scope, record)) return false;
  if (isScoped && !hasScope(record)) return false;
  const at = Date.parse(record.timestamp);
  if (since !== undefined && !(at >= Date.parse(since))) return false;
  if (until !== undefined && !(at < Date.parse(until))) return false;
  if (record.timing_ms.total < minTotalMs) return false;
  const asked = new Map<string, unknown>(Object.entries(filter));
  return Object.entries(valuesOf(record)).every(([name, value]) => (asked.get(name) ?? value) === value);
}

const dayAt = (moment: string): string | undefined => {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10);
};

/** True if a day can contain matching records. */
export function matchesDay({ since, until }: DiagnosticFilter, day: string): boolean {
  const isTooOld = since !== undefined && day < (dayAt(since) ?? day);
  const isTooNew = until !== undefined && day > (dayAt(until) ?? day);
  return !isTooOld && !isTooNew;
}
