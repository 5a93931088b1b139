import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';

/** The fields of a diagnostic that lists show, named as in the record. */
export function toSummary(record: DiagnosticRecord) {
  const { counts, budgets, error } = record;
  return {
    diagnostic_id: record.diagnostic_id,
    timestamp: record.timestamp,
    transport: record.transport,
    tool: record.tool,
    session_id: record.session_id,
    principal: record.principal,
    /** Null unless texts are stored. */
    query: record.query.raw,
    outcome: error ? ('error' as const) : ('ok' as const),
    error: error && { code: error.code, reason: error.reason },
    answerable: record.answerable,
    candidates: counts.candidates_initial,
    returned: counts.returned,
    total_ms: record.timing_ms.total,
    partial: budgets.partial,
    limit_reason: budgets.limit_reason,
    degraded: record.degraded,
  };
}
