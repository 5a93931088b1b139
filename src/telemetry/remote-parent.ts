import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

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
