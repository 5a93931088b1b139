import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { sdkContextOf } from './calls.js';
import { canAskUser } from './input-requests.js';

/** Sends a question with a form to the host of a running call. */
export type AskHost = (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;

/**
 * How the host of a call is asked while the call runs; null if it can't be. Clients of 2026-07-28 take questions only
 * in place of a result, which ends the call.
 */
export function askHostOf(context: McpContext): AskHost | null {
  if (context.getSession().era === 'modern' || !canAskUser(context)) return null;
  const { mcpReq } = sdkContextOf(context);
  // Not elicitInput, which checks the answer with a validator that this server does not load. Who asked checks it.
  return (form, signal) => mcpReq.send({ method: 'elicitation/create', params: form }, { signal });
}
