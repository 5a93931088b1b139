import { createHash } from 'node:crypto';
import {
  type Attributes,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isWaiting } from '../core/errors.js';
import { VERSION } from '../core/package-facts.js';
import { type DiagnosticRecord, isGraphUsed } from '../diagnostics/record/diagnostic-record.js';
import type { CallStart, FinishedCall } from '../mcp/pipeline/call-watch.js';
import { parentSpans, type StartedSpan } from './watch-calls.js';

/** The parent span: from `_meta`; otherwise from the HTTP headers. With both, the HTTP span is linked. */
function readParent(start: CallStart): { parent: Context; links: Link[] } {
  const [inMeta, inHeaders] = parentSpans(start);
  const parent = inMeta ?? inHeaders;
  return {
    parent: parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    links: inMeta && inHeaders && inMeta.spanId !== inHeaders.spanId ? [{ context: inHeaders }] : [],
  };
}

/** OpenTelemetry's conventions for MCP, without the session id, which gives access to the session. */
function spanAttributes({ method, tool, transport }: CallStart): Attributes {
  return {
    'mcp.method.name': method,
    'network.transport': transport === 'http' ? 'tcp' : 'pipe',
    ...(transport === 'http' ? { 'network.protocol.name': 'http' } : {}),
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(tool === null ? {} : { 'gen_ai.tool.name': tool }),
  };
}

/** Maximum number of candidates on a span; the record has all of them. */
const MAX_CANDIDATES = 3;

/** Names of arguments that limit the length of a list. */
const TOP_K = ['top_k', 'limit', 'max_quotes'];

/** The limit of a call. Without one, as for quotes within a token budget, the number of results. */
function topK(input: Readonly<Record<string, unknown>> | null, returned: number): number {
  const limit = TOP_K.map((name) => input?.[name]).find((given) => typeof given === 'number');
  return typeof limit === 'number' ? limit : returned;
}

/** Span attributes: amounts, times and fixed words; neither queries nor results. @param input  parsed arguments */
function retrievalAttributes(
  record: DiagnosticRecord,
  input: Readonly<Record<string, unknown>> | null,
): Attributes {
  const { timing_ms: ms, counts, budgets, config } = record;
  return {
    'retrieval.diagnostic_id': record.diagnostic_id,
    'retrieval.transport': record.transport,
    'retrieval.mode': isGraphUsed(config) ? 'hybrid_local' : 'vector_only',
    'retrieval.top_k': topK(input, counts.returned),
    'retrieval.returned_count': counts.returned,
    'retrieval.dedupe_dropped': counts.dropped.dedupe,
    'retrieval.partial': budgets.partial,
    'retrieval.limit_reason': budgets.limit_reason,
    'retrieval.degraded': [...record.degraded],
    'retrieval.bm25_ms': ms.bm25,
    'retrieval.vector_ms': ms.vector_search,
    'retrieval.fusion_ms': ms.fusion,
    'retrieval.rerank_ms': ms.rerank,
    'retrieval.expansion_ms': ms.graph_expansion,
    'retrieval.total_ms': ms.total,
  };
}

/** A section's id holds its path and heading, so telemetry names it by the first 12 hex digits of its SHA-256. */
export function shortHash(chunkId: string): string {
  return createHash('sha256').update(chunkId).digest('hex').slice(0, 12);
}

/** Attributes of the `retrieval.candidate` events: the best that were returned, three at most. */
function candidateEvents({ results }: DiagnosticRecord): Attributes[] {
  return results.slice(0, MAX_CANDIDATES).map(({ rank, chunk_id: id, source, scores }) => ({
    rank,
    chunk_id: shortHash(id),
    source,
    final_score: scores.fused,
    ...(scores.rerank === null ? {} : { rerank_score: scores.rerank }),
  }));
}

function describe(span: Span, { error, call }: FinishedCall, record: DiagnosticRecord | null): void {
  if (record) {
    span.setAttributes(retrievalAttributes(record, call.decisions.input));
    for (const candidate of candidateEvents(record)) span.addEvent('retrieval.candidate', candidate);
  }
  if (!error) return;
  span.setAttribute('pith.error.reason', error.reason);
  if (isWaiting(error)) return;
  // The conventions want `tool_error` for every failed tool; the error code says more. Messages may contain parts of
  // the query, so the status has the code, too.
  span.setAttribute('error.type', error.code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
}

const idOrNull = (id: string): string | null => (/^0*$/.test(id) ? null : id);

/** Starts the span of a call. Without an SDK it records nothing and costs microseconds. */
export function startCallSpan(start: CallStart): StartedSpan {
  const { parent, links } = readParent(start);
  const name = start.tool === null ? start.method : `${start.method} ${start.tool}`;
  const options = { kind: SpanKind.SERVER, attributes: spanAttributes(start), links };
  const span = trace.getTracer('pith', VERSION).startSpan(name, options, parent);
  const { traceId, spanId } = span.spanContext();
  return {
    correlation: { traceId: idOrNull(traceId), spanId: idOrNull(spanId) },
    isRecording: span.isRecording(),
    end: (finished, record) => {
      if (span.isRecording()) describe(span, finished, record);
      span.end();
    },
  };
}
