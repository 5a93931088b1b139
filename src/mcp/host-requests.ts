import type {
  CreateMessageRequestParams,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitResult,
} from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { sdkContextOf } from './calls.js';
import { canAskUser } from './input-requests.js';

/** Requests that the host of a running call answers; null for those that it can't answer. */
export interface HostRequests {
  /** Sends a question with a form to the user. */
  readonly elicit: ((form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>) | null;
  /** Asks the model of the host for a message. */
  readonly sample:
    | ((params: CreateMessageRequestParams, signal: AbortSignal) => Promise<CreateMessageResultWithTools>)
    | null;
}

const samplingSchema = z.object({ sampling: z.looseObject({}) });

/**
 * How the host of a call is asked while the call runs. Clients of 2026-07-28 take questions only in place of a result,
 * which ends the call, and that revision deprecates sampling. Over HTTP, the session id of a 2025 client says what it
 * declared; without one, nothing is known.
 */
export function hostRequestsOf(context: McpContext): HostRequests {
  if (context.getSession().era === 'modern') return { elicit: null, sample: null };
  const { mcpReq } = sdkContextOf(context);
  const canSample = samplingSchema.safeParse(context.mcpServer.server.getClientCapabilities()).success;
  return {
    // Not elicitInput, which checks the answer with a validator that this server does not load. Who asked checks it.
    elicit: canAskUser(context)
      ? (form, signal) => mcpReq.send({ method: 'elicitation/create', params: form }, { signal })
      : null,
    sample: canSample
      ? (params, signal) => mcpReq.send({ method: 'sampling/createMessage', params }, { signal })
      : null,
  };
}
