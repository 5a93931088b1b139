import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { ExecutionContext } from '@nestjs/common';
import type { McpContext } from '@rekog/mcp-nest';
import type { Call, CallFailure } from '../core/call.js';
import type { CallReports } from './call-reports.js';
import { type AnyTool, definitionOf } from './define-tool.js';

/** A running request, with what its stages have found out. */
interface RunningRequest {
  call: Call;
  /** The tool as it was when the call started; undefined for resources, prompts and unknown tools. */
  readonly tool?: AnyTool | undefined;
  readonly reports?: CallReports;
  /** The tool that decides about a resource or prompt; null if it is not known. */
  decider: string | null;
  /** Questions to return in place of the result; null if there are none. */
  questions: InputRequiredResult | null;
}

/** Running requests, keyed by the SDK's request context, which every stage of the pipeline receives. */
const running = new WeakMap<object, RunningRequest>();

/** @throws Error for what only calls have */
function inCall<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('a handler was invoked outside a call');
  return part;
}

/** The SDK's context of a request. @throws Error outside a call */
export function sdkContextOf(context: McpContext): ServerContext {
  // mcp-nest passes the SDK's context as the fifth argument; the accessor for it is private.
  const sdkContext: ServerContext | undefined = context.getArgByIndex(4);
  return inCall(sdkContext);
}

/** The running request of a context. @throws Error outside a call */
function requestOf(context: McpContext): RunningRequest {
  return inCall(running.get(sdkContextOf(context)));
}

/** Registers the call of a request. */
export function beginCall(
  sdkContext: object,
  call: Call,
  parts: Pick<RunningRequest, 'tool' | 'reports'> = {},
): void {
  running.set(sdkContext, { call, ...parts, decider: null, questions: null });
}

/** The reports of a running call to its client. @throws Error outside a call */
export function callReports(context: McpContext): CallReports {
  return inCall(requestOf(context).reports);
}

/** Notes the tool that decides about a resource or prompt. */
export function noteDecider(sdkContext: object, tool: string): void {
  const request = running.get(sdkContext);
  if (request) request.decider = tool;
}

/** The tool that decides about the resource or prompt of a request; null if it is not known. */
export function findDecider(context: McpContext): string | null {
  return requestOf(context).decider;
}

/** The call of a request, including later updates such as its scope. */
export function currentCall(sdkContext: object): Call | undefined {
  return running.get(sdkContext)?.call;
}

/** The call that a tool or resource is invoked for. @throws Error outside a call */
export function callOf(context: McpContext): Call {
  return requestOf(context).call;
}

/** Replaces the call by one with more fields set, such as its scope. */
export function updateCall(context: McpContext, call: Call): void {
  requestOf(context).call = call;
}

/** Makes questions the answer of a call. The host must be able to answer each of them. */
export function endWithQuestions(context: McpContext, result: InputRequiredResult): void {
  requestOf(context).questions = result;
}

/** The questions of a call, if it asks any, otherwise its answer. */
export async function questionsOr(sdkContext: object, answer: Promise<object>): Promise<object> {
  try {
    const result = await answer;
    return running.get(sdkContext)?.questions ?? result;
  } catch (error) {
    const questions = running.get(sdkContext)?.questions;
    if (questions) return questions;
    throw error;
  }
}

/** The MCP side of a Nest context; null for plain HTTP routes. */
export function mcpContextOf(context: Pick<ExecutionContext, 'getType' | 'switchToRpc'>): McpContext | null {
  return context.getType() === 'rpc' ? context.switchToRpc().getContext<McpContext>() : null;
}

/** The tool that is called; undefined for resources and prompts. All tools of providers have one handler. */
export function calledTool(context: McpContext): AnyTool | undefined {
  return running.get(sdkContextOf(context))?.tool;
}

/** The tool that a stage of the pipeline handles; undefined for resources, prompts and plain HTTP routes. */
export function toolOf(context: ExecutionContext): AnyTool | undefined {
  const mcp = mcpContextOf(context);
  return mcp ? (calledTool(mcp) ?? definitionOf(context.getHandler())) : undefined;
}

/** The call of a tool with its definition; null for resources, prompts and plain HTTP routes. */
export function findToolCall(
  context: ExecutionContext,
): { readonly call: Call; readonly definition: AnyTool } | null {
  const mcp = mcpContextOf(context);
  const definition = toolOf(context);
  return mcp && definition ? { call: callOf(mcp), definition } : null;
}

/** The body of an HTTP request, for a call that takes its content from there. */
export interface SentContent {
  /** By `Content-Length`; null without it. */
  readonly declaredBytes: number | null;
  /** The bytes while they arrive. @throws the reason of the signal; InvalidArgumentError `body_incomplete` */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Headers of an HTTP reply about the bytes in its body. */
export interface ContentFacts {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

/** Sends bytes in an HTTP reply. All but the last part are sent when the promise resolves. */
export type SendContent = (
  facts: ContentFacts,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
) => Promise<void>;

/** A call of a tool for an HTTP request that is no message of MCP: its content is the body of the request or of the reply, or a page shows it. */
export interface StreamedCall {
  /** Null if the request has no content. */
  readonly sent: SentContent | null;
  /** Null if the reply has no content. */
  readonly send: SendContent | null;
  /** The output of the tool; null before. */
  output: object | null;
  /** The error of the call; null before its end, and if it succeeded. */
  failure: CallFailure | null;
}

/** The streamed calls that run now, by their HTTP request. */
const streamed = new WeakMap<object, StreamedCall>();

/** Registers a streamed call, before its tool is called for this HTTP request. */
export const beginStreamed = (request: object, call: StreamedCall): void => void streamed.set(request, call);

/** The streamed call of an HTTP request; undefined for other calls. */
export const streamedIn = (request: unknown): StreamedCall | undefined =>
  typeof request === 'object' && request !== null ? streamed.get(request) : undefined;

/** The streamed call that a tool is invoked for; undefined for other calls. */
export const streamedCallIn = (context: McpContext): StreamedCall | undefined =>
  streamedIn(context.getRawRequest());
