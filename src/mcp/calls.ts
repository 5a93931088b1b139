import type { ServerContext } from '@modelcontextprotocol/server';
import type { ExecutionContext } from '@nestjs/common';
import type { McpContext } from '@rekog/mcp-nest';
import type { Call } from '../core/call.js';
import { type AnyTool, definitionOf } from './define-tool.js';

/** Running calls, keyed by the SDK's request context, which every stage of the pipeline receives. */
const calls = new WeakMap<object, Call>();

/** The SDK's context of a request. @throws Error outside a call */
export function sdkContextOf(context: McpContext): ServerContext {
  // mcp-nest passes the SDK's context as the fifth argument; the accessor for it is private.
  const sdkContext: ServerContext | undefined = context.getArgByIndex(4);
  if (sdkContext) return sdkContext;
  throw new Error('a handler was invoked outside a call');
}

/** Registers the call of a request. */
export function beginCall(sdkContext: object, call: Call): void {
  calls.set(sdkContext, call);
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

/** The call of a tool with its definition; null for resources, prompts and plain HTTP routes. */
export function toolCallOf(
  context: ExecutionContext,
): { readonly call: Call; readonly definition: AnyTool } | null {
  const mcp = mcpContextOf(context);
  const definition = mcp ? definitionOf(context.getHandler()) : undefined;
  return mcp && definition ? { call: callOf(mcp), definition } : null;
}
