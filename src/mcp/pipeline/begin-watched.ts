import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Call } from '../../core/call.js';
import { callStart, traceOf, whatCame } from './call-ends.js';
import type { CallWatch } from './call-watch.js';
import { beginCall, currentCall } from '../calls.js';
import { identifyCaller } from './caller-identity.js';
import type { CallerRules, Connection } from './caller-identity.js';

/** What a client asks for. */
export interface Asked {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Connected = Connection & { readonly sdkContext: ServerContext };

/** Who looks on, and by what rules callers are told apart. */
export interface Onlookers {
  readonly rules: CallerRules;
  readonly now: () => number;
  readonly watch: CallWatch;
}

/** A call, and what its answer is told to. */
export interface BegunCall {
  readonly call: Call;
  readonly end: (answer: object) => void;
}

/** Guards find out the scope. */
const NO_SCOPE_YET = { projectId: '', environment: '', docTags: null, repositories: null };

/**
 * Makes the call, and whoever looks on is told.
 * @param deadline  fires when the call's time is over
 */
export function beginWatched(
  connection: Connected,
  { method, params = {} }: Asked,
  { deadline, edge }: { readonly deadline: AbortSignal; readonly edge: Onlookers },
): BegunCall {
  const { rules, now, watch } = edge;
  const { sdkContext } = connection;
  const begunAt = performance.now();
  const tool = method === 'tools/call' ? rules.surface.tools.get(String(params['name'])) : undefined;
  const start = callStart(connection, {
    id: randomUUID(),
    method,
    params,
    tool: tool?.definition.name ?? null,
  });
  const watched = watch.begin(start);
  const elapsed = (): number => performance.now() - begunAt;
  const trace = traceOf(watched, tool?.definition.isRetrieval ?? false);
  const call: Call = {
    id: start.id,
    caller: identifyCaller(connection, rules),
    scope: NO_SCOPE_YET,
    signal: AbortSignal.any([sdkContext.mcpReq.signal, deadline]),
    now,
    elapsed,
    correlation: watched.correlation,
    trace,
  };
  beginCall(sdkContext, call);
  const end = (answer: object): void => {
    const last = currentCall(sdkContext) ?? call;
    const isTakenBack = sdkContext.mcpReq.signal.aborted && !deadline.aborted;
    const came = whatCame(last, answer, { isTakenBack, tool, surface: rules.surface });
    watched.end({ start, args: params['arguments'], ...came });
  };
  return { call, end };
}
