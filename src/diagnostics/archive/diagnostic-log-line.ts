import { isWaiting } from '../../core/errors.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import type { DiagnosticPaths } from './diagnostic-paths.js';

/** A correlation id is text from the client: only id-like values are logged. */
const ID_LIKE = /^[\w.:-]{1,128}$/;

/** The logged fields of a diagnostic, without text from the caller: ids, counters, paths; null for missing ones. */
export function diagnosticSummary(record: DiagnosticRecord, paths: DiagnosticPaths) {
  const { otel, counts, budgets, correlation_id: correlationId } = record;
  return {
    diagnostic_id: record.diagnostic_id,
    trace_id: otel.trace_id,
    span_id: otel.span_id,
    correlation_id: correlationId !== null && ID_LIKE.test(correlationId) ? correlationId : null,
    tool: record.tool,
    transport: record.transport,
    returned: counts.returned,
    candidates: counts.candidates_initial,
    dropped: counts.candidates_initial - counts.candidates_post_dedupe,
    total_ms: record.timing_ms.total,
    partial: budgets.partial,
    limit_reason: budgets.limit_reason,
    degraded: record.degraded.join(',') || null,
    // A call that waits for an approval has not failed.
    error: record.error && (isWaiting(record.error) ? 'waiting' : record.error.code),
    jsonl: paths.jsonl,
    markdown: paths.markdown,
  };
}

/** Quotes values with spaces or quotes, so that a line can be parsed and stays one line. */
function shown(value: string | number | boolean | null): string {
  const text = String(value ?? '-').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** The log line of a diagnostic: `diagnostic_id=… trace_id=… … markdown=…`; `-` for missing values. */
export function diagnosticLogLine(record: DiagnosticRecord, paths: DiagnosticPaths): string {
  return Object.entries(diagnosticSummary(record, paths))
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(' ');
}
