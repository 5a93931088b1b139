import type { ServerContext } from '@modelcontextprotocol/server';
import { identifyCaller } from '../pipeline/caller-identity.js';
import type { BoundConnection, CallerRules } from '../pipeline/caller-identity.js';
import type { CorpusLists } from '../corpus-lists.js';
import { instructionsFor } from '../instructions.js';

/** A request as the SDK hands it to a handler. */
export interface RawRequest {
  readonly params: Record<string, unknown>;
}

export type Handler = (request: RawRequest, context: ServerContext) => Promise<object>;

/** The low-level server as far as we wrap it; the SDK's own type is generic over every method. */
export interface HandlerHost {
  setRequestHandler: (method: string, handler: Handler) => void;
}

/** The SDK answers `initialize` and `server/discover` by itself, without a hook. */
interface Greeter extends HandlerHost {
  readonly _requestHandlers: Map<string, Handler>;
}

/** What decides the instructions of a greeting. */
export interface Greeting {
  readonly rules: CallerRules;
  readonly corpus: CorpusLists | null;
}

/** Puts the instructions of greetings into words for the client, which has said its name by then. */
export function greetByName(bound: BoundConnection, { rules, corpus }: Greeting): void {
  const host = bound.server.server as unknown as Greeter;
  const greeted =
    (greeting: Handler): Handler =>
    async (request, sdkContext) => {
      const answer = await greeting(request, sdkContext);
      const caller = identifyCaller({ ...bound, sdkContext }, rules);
      return { ...answer, instructions: instructionsFor(corpus?.known() ?? null, rules.surface, caller) };
    };
  const initialize = host._requestHandlers.get('initialize');
  if (initialize) host._requestHandlers.set('initialize', greeted(initialize));
  // The SDK registers this one when a client of 2026-07-28 connects.
  const register = host.setRequestHandler;
  host.setRequestHandler = (method, handler) =>
    register.call(host, method, method === 'server/discover' ? greeted(handler) : handler);
}
