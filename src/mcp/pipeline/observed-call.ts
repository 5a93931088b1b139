import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { type Call, type Caller, Decisions, newTrace, type Trace } from '../../core/call.js';
import { WIDEST_SCOPE } from '../../core/scope.js';
import type { CallReports } from '../call-reports.js';
import { beginCall, currentCall } from '../calls.js';
import type { Surface, ToolState } from '../surface/surface.js';
import type { CallStart, CallWatch, FinishedCall, WatchedCall } from './call-watch.js';
import { type CallerRules, type Connection, requestHeaders } from './caller-identity.js';
import { callUsage, declaredCeilings } from './output.interceptor.js';

/** The field of `_meta` in which a client names the run that a call belongs to. */
export const RUN_FIELD = 'pith/run_id';
/** Clients can't name the runs of sessions. */
const RUN_ID = /^(?!session:)[\w.:-]{1,128}$/;

/** The run that a client names in `_meta`; null if it names none, or if the name is not valid. */
export function namedRun(meta: unknown): string | null {
  const named: unknown = Object(meta)[RUN_FIELD];
  return typeof named === 'string' && RUN_ID.test(named) ? named : null;
}

/** The method and parameters of a request. */
export interface McpRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A parameter of a request as text. Whoever checks a request and whoever runs it must read the same. */
export const paramText = (params: Readonly<Record<string, unknown>> | undefined, name: string): string =>
  String(params?.[name]);

/** A connection together with the SDK's context of one request. */
export type CallConnection = Connection & { readonly sdkContext: ServerContext };

interface CallEnvironment {
  readonly caller: Caller;
  /** Undefined for other methods, and for tools that the caller does not know. */
  readonly tool: ToolState | undefined;
  readonly rules: CallerRules;
  readonly now: () => number;
  readonly watch: CallWatch;
  readonly reports: CallReports;
  /** Fires when the call's time is over. */
  readonly deadline: AbortSignal;
}

/** A started call and the function that reports its answer to the observer. */
export interface StartedCall {
  readonly call: Call;
  readonly end: (answer: object) => void;
}

function callStart(
  { rawRequest }: Connection,
  { method, params = {} }: McpRequest,
  tool: string | null,
): CallStart {
  return {
    id: randomUUID(),
    transport: rawRequest === undefined ? 'stdio' : 'http',
    method,
    tool,
    requestedTool: method === 'tools/call' ? String(params['name']) : null,
    meta: Object(params['_meta']),
    headers: requestHeaders(rawRequest),
  };
}

/** The empty trace of a call; kept for a diagnostic if it is a sampled retrieval. */
export function callTrace(
  { isSampled, isWritable, isDebug = false }: WatchedCall,
  isRetrieval: boolean,
): Trace {
  return { ...newTrace(), isRetrieval, isKept: isRetrieval && isSampled, isWritable, isDebug };
}

interface OutcomeContext {
  /** True when the caller cancelled the call. */
  readonly isCancelled: boolean;
  readonly tool: ToolState | undefined;
  readonly surface: Surface;
}

/** The outcome of a call. A cancelled call is not a failure, and no diagnostic of it is kept. */
export function callOutcome(
  call: Call,
  answer: object,
  { isCancelled, tool, surface }: OutcomeContext,
): Pick<FinishedCall, 'call' | 'durationMs' | 'isCancelled' | 'error' | 'usage'> {
  const { trace } = call;
  if (isCancelled) trace.isKept = false;
  const ceilings = tool && declaredCeilings(tool.definition, surface.maxResponseBytes);
  return {
    call,
    durationMs: call.elapsed(),
    isCancelled,
    error: isCancelled ? null : trace.failure,
    usage: callUsage(call, answer, ceilings ?? null),
  };
}

/** Creates and registers the call of a request, and reports its start to the observer. */
export function startObservedCall(
  connection: CallConnection,
  request: McpRequest,
  { rules, caller, tool, now, watch, deadline, reports }: CallEnvironment,
): StartedCall {
  const { sdkContext } = connection;
  const { surface } = rules;
  const begunAt = performance.now();
  const start = callStart(connection, request, tool?.definition.name ?? null);
  const watched = watch.begin(start);
  const call: Call = {
    id: start.id,
    caller,
    namedRun: namedRun(start.meta),
    // The guards set the scope.
    scope: WIDEST_SCOPE,
    signal: AbortSignal.any([sdkContext.mcpReq.signal, deadline]),
    now,
    elapsed: () => performance.now() - begunAt,
    correlation: watched.correlation,
    decisions: new Decisions(),
    trace: callTrace(watched, tool?.definition.isRetrieval ?? false),
  };
  beginCall(sdkContext, call, { tool: tool?.definition, reports });
  const end = (answer: object): void => {
    const last = currentCall(sdkContext) ?? call;
    const isCancelled = sdkContext.mcpReq.signal.aborted && !deadline.aborted;
    const outcome = callOutcome(last, answer, { isCancelled, tool, surface });
    watched.end({ start, args: request.params?.['arguments'], ...outcome });
  };
  return { call, end };
}
