import type { ServerContext } from '@modelcontextprotocol/server';
import { instructionsFor } from '../instructions.js';
import { type BoundConnection, type CallerRules, identifyCaller } from '../pipeline/caller-identity.js';
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

/** The SDK answers `initialize` and `server/discover` itself and has no hook for them. */
interface SdkServer extends HandlerHost {
  readonly _requestHandlers: Map<string, Handler>;
}

/** Makes `initialize` and `server/discover` return instructions for the client, whose name is known by then. */
export function addClientInstructions(bound: BoundConnection, rules: CallerRules, shown: ShownCorpus): void {
  const host = bound.server.server as unknown as SdkServer;
  const withInstructions =
    (handler: Handler): Handler =>
    async (request, sdkContext) => {
      const answer = await handler(request, sdkContext);
      const caller = identifyCaller({ ...bound, sdkContext }, rules);
      return {
        ...answer,
        instructions: instructionsFor(await shown.facts(caller), rules.surface, caller),
      };
    };
  const initialize = host._requestHandlers.get('initialize');
  if (initialize) host._requestHandlers.set('initialize', withInstructions(initialize));
  // The SDK registers `server/discover` when a client of protocol version 2026-07-28 connects.
  const register = host.setRequestHandler;
  host.setRequestHandler = (method, handler) =>
    register.call(host, method, method === 'server/discover' ? withInstructions(handler) : handler);
}
