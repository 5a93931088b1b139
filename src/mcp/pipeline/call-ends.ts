import { z } from 'zod';
import type { Connection } from './caller-identity.js';
import { newTrace } from '../../core/call.js';
import type { Call, Trace } from '../../core/call.js';
import type { CallStart, FinishedCall, WatchedCall } from './call-watch.js';
import { declaredCeilings, usageOf } from './output-usage.js';
import type { Surface, ToolState } from '../surface/surface.js';
import { WIRE_BYTES } from '../transport/wire-bytes.js';

const requestSchema = z.object({ headers: z.record(z.string(), z.unknown()) });
const metaSchema = z.record(z.string(), z.unknown());

/** A call as those see it who look on. */
export function callStart(
  { rawRequest }: Connection,
  asked: Pick<CallStart, 'id' | 'method' | 'tool'> & { readonly params: Readonly<Record<string, unknown>> },
): CallStart {
  const { id, method, tool, params } = asked;
  return {
    id,
    transport: rawRequest === undefined ? 'stdio' : 'http',
    method,
    tool,
    meta: metaSchema.safeParse(params['_meta']).data ?? {},
    headers: requestSchema.safeParse(rawRequest).data?.headers ?? {},
  };
}

/** What a call begins to write down. */
export function traceOf(
  { isSampled, isWritable, isDebug = false }: WatchedCall,
  isRetrieval: boolean,
): Trace {
  return { ...newTrace(), isRetrieval, isKept: isRetrieval && isSampled, isWritable, isDebug };
}

interface Ending {
  /** Whether the caller has taken the question back. */
  readonly isTakenBack: boolean;
  readonly tool: ToolState | undefined;
  readonly surface: Surface;
}

/** What came of a call. Whoever takes a question back has not met a failure, and nobody will ask about it. */
export function whatCame(
  call: Call,
  answer: object,
  { isTakenBack, tool, surface }: Ending,
): Pick<FinishedCall, 'call' | 'durationMs' | 'error' | 'usage'> {
  const { trace } = call;
  if (isTakenBack) trace.isKept = false;
  const ceilings = tool && declaredCeilings(tool.definition, surface.maxResponseBytes + WIRE_BYTES);
  return {
    call,
    durationMs: call.elapsed(),
    error: isTakenBack ? null : trace.failure,
    usage: trace.usage ?? usageOf(answer, ceilings ?? null),
  };
}
