import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';
import type { Correlation } from '../core/call.js';
import type { DiagnosticEmitter } from '../diagnostics/archive/diagnostic-emitter.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import type { CallObserver, CallStart, CallWatch, FinishedCall } from '../mcp/pipeline/call-watch.js';

/** version – trace id – parent id – flags, then extensions of later versions. W3C Trace Context §3.2.2. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The parent span of a request, from W3C's `traceparent`; null if it is missing or invalid. `tracestate` is ignored: it
 * is for outgoing calls, which this server does not make, and contains text from the caller.
 * @param carrier  a request's `_meta`, or its HTTP headers in lower case
 */
export function remoteParent({ traceparent }: Readonly<Record<string, unknown>>): SpanContext | null {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!parts) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  const traceFlags = parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : null;
}

/** The span of a running call. */
export interface StartedSpan {
  /** Without tracing, these are the ids of the caller's span; null if it sent none. */
  readonly correlation: Pick<Correlation, 'traceId' | 'spanId'>;
  /** False if the span is not recorded; then `end` needs no record. */
  readonly isRecording: boolean;
  /** Call once. @param record  of a retrieval; null for other calls */
  readonly end: (finished: FinishedCall, record: DiagnosticRecord | null) => void;
}

/** The observers of this process besides diagnostics and spans. */
export class CallObservers {
  constructor(readonly all: readonly CallObserver[]) {}
}

/** Receivers of a finished call. */
export interface CallReceivers {
  /** Null if nothing may be written about calls. */
  readonly emitter: DiagnosticEmitter | null;
  /** Null without telemetry. */
  readonly startSpan: ((start: CallStart) => StartedSpan) | null;
  readonly observers: readonly CallObserver[];
  /** Called when an observer fails; the call is unaffected. */
  readonly onFailure: (error: unknown) => void;
}

/** A client's correlation id; longer texts and other characters are not accepted as one. */
const CORRELATION_ID = /^[\w.:-]{1,128}$/;

function findCorrelationId({ meta, headers }: CallStart): string | null {
  const given = [
    meta['correlation_id'],
    meta['correlationId'],
    headers['x-correlation-id'],
    headers['x-request-id'],
  ];
  return given.find((id): id is string => typeof id === 'string' && CORRELATION_ID.test(id)) ?? null;
}

/** The parent spans that a request names: in `_meta`, and in the HTTP headers. */
export function parentSpans({ meta, headers }: CallStart): readonly (SpanContext | null)[] {
  return [remoteParent(meta), remoteParent(headers)];
}

/** The ids of the caller's span; null if it sent none. */
function callersSpan(start: CallStart): StartedSpan['correlation'] {
  const { traceId = null, spanId = null } = parentSpans(start).find((span) => span !== null) ?? {};
  return { traceId, spanId };
}

/** Combines the observers of calls. All but prompt ones run after the answer is sent, so the caller never waits for them. */
export function watchCalls({ emitter, startSpan, observers, onFailure }: CallReceivers): CallWatch {
  const prompt = observers.filter(({ isPrompt = false }) => isPrompt);
  const later = observers.filter((observer) => !prompt.includes(observer));
  // An observer that fails does not affect the others.
  const safely = <T>(report: () => T): T | null => {
    try {
      return report();
    } catch (error) {
      onFailure(error);
      return null;
    }
  };
  const report = (span: StartedSpan | null, finished: FinishedCall): void => {
    const written = safely(() => emitter?.emit(finished) ?? null);
    if (span) {
      const isTraced = span.isRecording && finished.call.trace.isRetrieval;
      const record = written ?? (isTraced ? safely(() => emitter?.describe(finished) ?? null) : null);
      safely(() => span.end(finished, record));
    }
    for (const observer of later) safely(() => observer.observe(finished));
  };
  return {
    begin: (start) => {
      const span = startSpan?.(start) ?? null;
      return {
        correlation: {
          ...(span?.correlation ?? callersSpan(start)),
          correlationId: findCorrelationId(start),
        },
        isSampled: emitter?.samples() ?? false,
        isWritable: emitter?.accepts() ?? false,
        end: (finished) => {
          for (const observer of prompt) safely(() => observer.observe(finished));
          setImmediate(() => report(span, finished));
        },
      };
    },
  };
}
