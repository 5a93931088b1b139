import type { DiagnosticPaths } from '../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';

/** A correlation id is the client's own text: only what looks like an id is repeated. */
const ID_LIKE = /^[\w.:-]{1,128}$/;

/**
 * What is logged of a diagnostic: ids, summary counters and where the rest is, in this order; null for what there is
 * not. No text of the caller.
 */
export function diagnosticSummary(
  record: DiagnosticRecord,
  paths: DiagnosticPaths,
): Readonly<Record<string, string | number | boolean | null>> {
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
    error: record.error?.code ?? null,
    jsonl: paths.jsonl,
    markdown: paths.markdown,
  };
}

/** Values with spaces or quotes are quoted, so that a line can be taken apart; whatever is in them, it stays one line. */
function shown(value: string | number | boolean | null): string {
  const text = String(value ?? '-').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** The one line that a diagnostic leaves on stderr: `diagnostic_id=… trace_id=… … markdown=…`, `-` for what there is not. */
export function diagnosticLogLine(record: DiagnosticRecord, paths: DiagnosticPaths): string {
  return Object.entries(diagnosticSummary(record, paths))
    .map(([name, value]) => `${name}=${shown(value)}`)
    .join(' ');
}
