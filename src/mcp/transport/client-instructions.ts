import {
  type JSONRPCMessage,
  type McpServer,
  type MessageExtraInfo,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CorpusFacts, MAX_INSTRUCTIONS } from '../../core/corpus-facts.js';
import { type BoundConnection, type CallerRules, identifyCaller } from '../pipeline/caller-identity.js';
import { adaptAdvice, canCallTools, type Reader } from '../surface/adapt-text.js';
import type { Surface } from '../surface/surface.js';
import type { ShownCorpus } from './shown-corpus.js';

/** A request as the SDK hands it to a handler. */
export interface RawRequest {
  readonly params: Record<string, unknown>;
}

export type Handler = (request: RawRequest, context: ServerContext) => Promise<object>;

/** The part of the low-level server that we wrap; the SDK's own type is generic over every method. */
export interface HandlerHost {
  setRequestHandler: (method: string, handler: Handler) => void;
}

const anyParams = z.looseObject({});

/** Binds a method of an extension, whose parameters the SDK does not know. */
export function setCustomHandler(host: HandlerHost, method: string, handler: Handler): void {
  const { setRequestHandler }: { readonly setRequestHandler: CustomRegistration } = host as never;
  setRequestHandler.call(host, method, { params: anyParams }, (params, context) =>
    handler({ params }, context),
  );
}

type CustomRegistration = (
  method: string,
  schemas: { readonly params: typeof anyParams },
  handler: (params: Record<string, unknown>, context: ServerContext) => Promise<object>,
) => void;

const PURPOSE = 'Pith answers questions from its indexed documents, with verbatim quotes and citations.';

/** Advice on the first call; the first entry whose tools the reader can call is used. */
const FIRST_STEPS = [
  'Call kb.retrieve_evidence with the question and a few keywords of your own; it is enough for most questions. ' +
    'If it says that an answer is unlikely, say that the documents do not contain it.',
  'Call search_docs to find sections and get_doc to read them.',
  'Call `search` to find documents and `fetch` to read them.',
  'Call search_sections to find sections and get_section_text to read them.',
];

/** The server's instructions for a client's model: Pith's own text, then the text of the corpus. */
export function instructionsFor(corpus: CorpusFacts | null, surface: Surface, reader: Reader): string {
  const first = FIRST_STEPS.find((step) => canCallTools(step, surface, reader)) ?? '';
  const own = adaptAdvice(`${PURPOSE} ${first}`.trim(), surface, reader);
  const more = adaptAdvice(corpus?.instructions?.trim().slice(0, MAX_INSTRUCTIONS) ?? '', surface, reader);
  return more === '' ? own : `${own}\n\n${more}`;
}

/** Passed with an `initialize` whose answer no client receives. */
export const REPLAYED: MessageExtraInfo = Object.freeze({});

/** Makes `initialize` and `server/discover` return instructions for the client, whose name is known by then. */
export function addClientInstructions(bound: BoundConnection, rules: CallerRules, shown: ShownCorpus): void {
  const instructions = async (sdkContext?: ServerContext): Promise<string> => {
    const caller = identifyCaller({ ...bound, sdkContext }, rules);
    return instructionsFor(await shown.facts(caller), rules.surface, caller);
  };
  instructClients(bound.server, () => instructions());
  // The SDK registers `server/discover` when a client of protocol version 2026-07-28 connects.
  const host = bound.server.server as unknown as HandlerHost;
  const register = host.setRequestHandler;
  const withInstructions =
    (handler: Handler): Handler =>
    async (request, sdkContext) => ({
      ...(await handler(request, sdkContext)),
      instructions: await instructions(sdkContext),
    });
  host.setRequestHandler = (method, handler) =>
    register.call(host, method, method === 'server/discover' ? withInstructions(handler) : handler);
}

/**
 * Adds instructions to the answers to `initialize`, when the name of the client is known. The SDK answers the request itself
 * and has no hook for it, so its answer is changed before the transport sends it.
 */
export function instructClients({ server }: McpServer, instructions: () => Promise<string>): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    addInstructions(transport, instructions);
    return connect(transport);
  };
}

function addInstructions(transport: Transport, instructions: () => Promise<string>): void {
  const asked = new Set<RequestId>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  // The SDK calls this listener before it reads a message.
  transport.onmessage = (message, extra) => {
    if ('id' in message && 'method' in message && message.method === 'initialize' && extra !== REPLAYED)
      asked.add(message.id);
    onmessage?.(message, extra);
  };
  transport.send = async (message, options) => {
    const isAnswer = !('method' in message) && message.id !== undefined && asked.delete(message.id);
    return send(isAnswer && 'result' in message ? await instructed(message, instructions) : message, options);
  };
}

async function instructed(
  answer: Extract<JSONRPCMessage, { result: unknown }>,
  instructions: () => Promise<string>,
): Promise<JSONRPCMessage> {
  try {
    return { ...answer, result: { ...answer.result, instructions: await instructions() } };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Internal error';
    return { jsonrpc: '2.0', id: answer.id, error: { code: ProtocolErrorCode.InternalError, message } };
  }
}
