import { inputRequired } from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { endWithQuestions, sdkContextOf } from './calls.js';

/** A question that the host of the caller puts to its user, who accepts or declines. */
export interface UserQuestion {
  readonly message: string;
  /** Comes back with the answer. */
  readonly state: string;
}

/** The answer to an earlier question. It comes from the caller's side, so it proves nothing about who gave it. */
export interface HostAnswer {
  readonly state: string;
  /** `cancel` if the user did not decide. */
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** Key of our question among those of a result. */
const KEY = 'approval';

// Before modes were introduced, `{}` stood for forms.
const capabilitiesSchema = z.object({
  elicitation: z
    .looseObject({ form: z.unknown().optional(), url: z.unknown().optional() })
    .refine(({ form, url }) => form !== undefined || url === undefined),
});

/** True if the host can put a question to its user and send the answer back: it declared forms of elicitation. */
export function canAskUser(context: McpContext): boolean {
  const declared =
    context.getSession().era === 'modern'
      ? context.getClientCapabilities()
      : // Undefined over HTTP without a session id.
        context.mcpServer.server.getClientCapabilities();
  return capabilitiesSchema.safeParse(declared).success;
}

/**
 * Makes a question the answer of a call, in place of its result or error. The call ends. When the user has answered,
 * the call is made again: by clients of 2026-07-28 themselves, for others by the SDK, which sends `elicitation/create`.
 */
export function askUser(context: McpContext, { message, state }: UserQuestion): void {
  const question = inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } });
  endWithQuestions(context, inputRequired({ inputRequests: { [KEY]: question }, requestState: state }));
}

const responsesSchema = z.object({
  [KEY]: z.object({ action: z.enum(['accept', 'decline', 'cancel']) }),
});

/** The answer that a call brings; null if it brings none. */
export function answerOfUser(context: McpContext): HostAnswer | null {
  const { inputResponses, requestState } = sdkContextOf(context).mcpReq;
  const action = responsesSchema.safeParse(inputResponses).data?.[KEY].action;
  const state: unknown = requestState();
  return action !== undefined && typeof state === 'string' ? { state, action } : null;
}
