import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { endWithQuestions, sdkContextOf } from '../../../src/mcp/calls.js';
import { formOf } from './fixture-data.js';

const codec = createRequestStateCodec<string>({ key: 'a key of the conformance fixtures, 32 bytes' });

/** A question to the user. */
export const form = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({ message, requestedSchema: formOf(name, type) });

export const sampling = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

export const rootsList = () => inputRequired.listRoots();

/** The answers that a call brings; only those that are objects. */
export function answersIn(context: McpContext): Readonly<Record<string, object>> {
  const { inputResponses } = sdkContextOf(context).mcpReq;
  return z.record(z.string(), z.looseObject({})).safeParse(inputResponses).data ?? {};
}

/** The accepted answer to a form; undefined if there is none, or if it does not fit. */
export function acceptedIn(context: McpContext, key: string, field: string): string | undefined {
  const { inputResponses } = sdkContextOf(context).mcpReq;
  const schema = z.object({ [field]: z.union([z.string().max(1_000), z.boolean()]) });
  const content = acceptedContent(inputResponses, key, schema);
  return content === undefined ? undefined : String(content[field]);
}

/** The state that a call brings back; null if it brings none. @throws ProtocolError for a changed one */
export async function stateOf(context: McpContext): Promise<string | null> {
  const sdkContext = sdkContextOf(context);
  const state: unknown = sdkContext.mcpReq.requestState();
  if (typeof state !== 'string') return null;
  try {
    return await codec.verify(state, sdkContext);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state was changed.');
  }
}

/** Ends a call with questions. @param state  comes back with the answers, signed */
export async function askFor(context: McpContext, inputRequests: InputRequests, state?: string) {
  const requestState = state === undefined ? {} : { requestState: await codec.mint(state) };
  endWithQuestions(context, inputRequired({ inputRequests, ...requestState }));
  return { text: 'The client is asked.' };
}

/** @throws MissingRequiredClientCapabilityError unless the client declared sampling */
export function needSampling(context: McpContext): void {
  if (context.getClientCapabilities()?.sampling === undefined)
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
}
