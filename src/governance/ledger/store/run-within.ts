import type { Scope } from '../../../core/scope.js';
import { CALL_OUTCOMES } from '../ledger-event.js';
import type { LedgerRun, RunQuery } from '../ledger-line.js';
import { isRecordedWithin } from '../line-scope.js';

/** The lines of a run that have the same scope and the same outcome. */
interface RunShare {
  /** JSON; null for lines without a scope. */
  readonly scope: unknown;
  /** Null for lines that end no call. */
  readonly outcome: unknown;
  readonly calls: unknown;
  /** Times of the first and the last of these lines. */
  readonly started: unknown;
  readonly ended: unknown;
}

/** Reads a row; columns that it does not have are null. */
export const shareOf = ({
  scope = null,
  outcome = null,
  calls,
  started = null,
  ended = null,
}: Readonly<Record<string, unknown>>): RunShare => ({ scope, outcome, calls, started, ended });

/** A query that shows only what lies within a scope. */
type ScopedRunQuery = RunQuery & { readonly scope: Scope };

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    // The line was changed. Verification reports it.
    return null;
  }
}

/** The number of calls by outcome. @param counts  an outcome may occur several times */
export function outcomesIn(counts: readonly RunShare[]): LedgerRun['outcomes'] {
  return Object.fromEntries(
    CALL_OUTCOMES.flatMap((outcome) => {
      const rows = counts.filter((row) => row.outcome === outcome);
      return rows.length === 0 ? [] : [[outcome, rows.reduce((sum, { calls }) => sum + Number(calls), 0)]];
    }),
  );
}

/** The part of a run within the scope of the query; null if no line is within it, or if a filter excludes that part. */
export function runWithin(
  run: LedgerRun,
  shares: readonly RunShare[],
  { scope, outcome, from = '' }: ScopedRunQuery,
): LedgerRun | null {
  const seen = shares.filter((share) => isRecordedWithin(scope, parsed(share.scope)));
  const outcomes = outcomesIn(seen);
  const startedAt = seen.map(({ started }) => String(started)).sort()[0];
  const endedAt = seen
    .map(({ ended }) => String(ended))
    .sort()
    .at(-1);
  if (startedAt === undefined || endedAt === undefined || endedAt < from) return null;
  if (outcome !== undefined && outcomes[outcome] === undefined) return null;
  return { ...run, startedAt, endedAt, outcomes };
}
