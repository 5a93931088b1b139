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
import type { Correlation } from '../core/call.js';
import { VERSION } from '../core/package-facts.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import type { CallStart, FinishedCall } from '../mcp/pipeline/call-watch.js';
import { remoteParent } from './remote-parent.js';
import { candidateEvents, retrievalAttributes } from './retrieval-attributes.js';

/** The span of a running call. */
export interface StartedSpan {
  /**
   * The span's ids. Without tracing they are those of the caller's span, so that a diagnostic can still be found from
   * its trace; null if the caller sent none.
   */
  readonly correlation: Pick<Correlation, 'traceId' | 'spanId'>;
  /** False if the span is not recorded; then `end` needs no record. */
  readonly isRecording: boolean;
  /** Call once. @param record  of a retrieval; null for other calls */
  readonly end: (finished: FinishedCall, record: DiagnosticRecord | null) => void;
}

/** The parent span: from `_meta`; otherwise from the HTTP headers. With both, the HTTP span is linked. */
function parentOf({ meta, headers }: CallStart): { parent: Context; links: Link[] } {
  const said = remoteParent(meta);
  const around = remoteParent(headers);
  const parent = said ?? around;
  return {
    parent: parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    links: said && around && said.spanId !== around.spanId ? [{ context: around }] : [],
  };
}

/** OpenTelemetry's conventions for MCP, without the session id, which gives access to the session. */
function attributesOf({ method, tool, transport }: CallStart): Attributes {
  return {
    'mcp.method.name': method,
    'network.transport': transport === 'http' ? 'tcp' : 'pipe',
    ...(transport === 'http' ? { 'network.protocol.name': 'http' } : {}),
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(tool === null ? {} : { 'gen_ai.tool.name': tool }),
  };
}

function describe(span: Span, { error, call }: FinishedCall, record: DiagnosticRecord | null): void {
  if (record) {
    span.setAttributes(retrievalAttributes(record, call.trace.input));
    for (const candidate of candidateEvents(record)) span.addEvent('retrieval.candidate', candidate);
  }
  if (!error) return;
  // The conventions want `tool_error` for every failed tool; the error code says more. Messages may contain parts of
  // the query, so the status has the code, too.
  span.setAttributes({ 'error.type': error.code, 'pith.error.reason': error.reason });
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
}

const idOrNull = (id: string): string | null => (/^0*$/.test(id) ? null : id);

/** Starts the span of a call. Without an SDK it records nothing and costs microseconds. */
export function startCallSpan(start: CallStart): StartedSpan {
  const { parent, links } = parentOf(start);
  const name = start.tool === null ? start.method : `${start.method} ${start.tool}`;
  const options = { kind: SpanKind.SERVER, attributes: attributesOf(start), links };
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
