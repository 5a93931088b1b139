import type { ServerContext } from '@modelcontextprotocol/server';
import type { ExecutionContext } from '@nestjs/common';
import type { McpContext } from '@rekog/mcp-nest';
import type { Call } from '../core/call.js';
import { type AnyTool, definitionOf } from './define-tool.js';

/** Running calls, keyed by the SDK's request context, which every stage of the pipeline receives. */
const calls = new WeakMap<object, Call>();
/** The tools of running calls, as they were when the call started. */
const tools = new WeakMap<object, AnyTool>();

/** The tools that decide about running reads of resources and prompts. */
const deciders = new WeakMap<object, string>();

/** The SDK's context of a request. @throws Error outside a call */
export function sdkContextOf(context: McpContext): ServerContext {
  // mcp-nest passes the SDK's context as the fifth argument; the accessor for it is private.
  const sdkContext: ServerContext | undefined = context.getArgByIndex(4);
  if (sdkContext) return sdkContext;
  throw new Error('a handler was invoked outside a call');
}

/** Registers the call of a request. @param tool  the tool that is called, if it is one */
export function beginCall(sdkContext: object, call: Call, tool?: AnyTool): void {
  calls.set(sdkContext, call);
  if (tool) tools.set(sdkContext, tool);
}

/** Notes the tool that decides about a resource or prompt. */
export function noteDecider(sdkContext: object, tool: string): void {
  deciders.set(sdkContext, tool);
}

/** The tool that decides about the resource or prompt of a request; null if it is not known. */
export function deciderOf(context: McpContext): string | null {
  return deciders.get(sdkContextOf(context)) ?? null;
}

/** The call of a request, including later updates such as its scope. */
export function currentCall(sdkContext: object): Call | undefined {
  return calls.get(sdkContext);
}

/** The call that a tool or resource is invoked for. @throws Error outside a call */
export function callOf(context: McpContext): Call {
  const call = calls.get(sdkContextOf(context));
  if (!call) throw new Error('a handler was invoked outside a call');
  return call;
}

/** Replaces the call by one with more fields set, such as its scope. */
export function updateCall(context: McpContext, call: Call): void {
  calls.set(sdkContextOf(context), call);
}

/** The MCP side of a Nest context; null for plain HTTP routes. */
export function mcpContextOf(context: Pick<ExecutionContext, 'getType' | 'switchToRpc'>): McpContext | null {
  return context.getType() === 'rpc' ? context.switchToRpc().getContext<McpContext>() : null;
}

/** The tool that is called; undefined for resources and prompts. All tools of providers have one handler. */
export function calledTool(context: McpContext): AnyTool | undefined {
  return tools.get(sdkContextOf(context));
}

/** The tool that a stage of the pipeline handles; undefined for resources, prompts and plain HTTP routes. */
export function toolOf(context: ExecutionContext): AnyTool | undefined {
  const mcp = mcpContextOf(context);
  return mcp ? (calledTool(mcp) ?? definitionOf(context.getHandler())) : undefined;
}

/** The call of a tool with its definition; null for resources, prompts and plain HTTP routes. */
export function toolCallOf(
  context: ExecutionContext,
): { readonly call: Call; readonly definition: AnyTool } | null {
  const mcp = mcpContextOf(context);
  const definition = toolOf(context);
  return mcp && definition ? { call: callOf(mcp), definition } : null;
}
