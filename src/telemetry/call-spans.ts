import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Link, Span } from '@opentelemetry/api';
import type { Correlation } from '../core/call.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import type { CallStart, FinishedCall } from '../mcp/pipeline/call-watch.js';
import { VERSION } from '../core/package-facts.js';
import { remoteParent } from './remote-parent.js';
import { candidateEvents, retrievalAttributes } from './retrieval-attributes.js';

/** The span of a call that runs. */
export interface StartedSpan {
  /**
   * The span's ids. Where nothing traces they are those of the caller's own span, so that a diagnostic can still be
   * found from its trace; null where it sent none.
   */
  readonly correlation: Pick<Correlation, 'traceId' | 'spanId'>;
  /** Whether what `end` is told goes anywhere; if not, no record need be built for it. */
  readonly isRecording: boolean;
  /** Told once. @param record  what a retrieval did; null for other calls */
  readonly end: (finished: FinishedCall, record: DiagnosticRecord | null) => void;
}

/** Whose span ours continues: `_meta` speaks of this request, headers of the HTTP request around it, which is linked then. */
function parentOf({ meta, headers }: CallStart): { parent: Context; links: Link[] } {
  const said = remoteParent(meta);
  const around = remoteParent(headers);
  const parent = said ?? around;
  return {
    parent: parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    links: said && around && said.spanId !== around.spanId ? [{ context: around }] : [],
  };
}

/** As OpenTelemetry's conventions for MCP have it; the session's id is left out, since whoever holds it reads the session. */
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
  // The conventions want `tool_error` here for every failed tool; which of six codes it was says more. Messages may
  // repeat what was asked, so the status has the code, too.
  span.setAttributes({ 'error.type': error.code, 'pith.error.reason': error.reason });
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
}

const idOrNull = (id: string): string | null => (/^0*$/.test(id) ? null : id);

/** Begins the span of a call. Without an SDK it records nothing and costs microseconds. */
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
