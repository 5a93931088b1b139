import { isSpanContextValid, TraceFlags } from '@opentelemetry/api';
import type { SpanContext } from '@opentelemetry/api';

/** What may carry a trace: a request's `_meta`, or its HTTP headers in lower case. */
type TraceCarrier = Readonly<Record<string, unknown>>;

/** version – trace id – parent id – flags, and what later versions add. W3C Trace Context §3.2.2. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * The span that a request says it belongs to, from W3C's `traceparent`. `tracestate` is for those whom a server calls in
 * turn, and ours calls nobody; a caller's text would only be exported.
 * @returns null where there is none, or none that is valid to the letter
 */
export function remoteParent({ traceparent }: TraceCarrier): SpanContext | null {
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!parts) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = parts;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  };
  return isSpanContextValid(context) ? context : null;
}
