import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { McpStrategy } from '@rekog/mcp-nest';
import type { McpServerOptions, McpSessionSeed } from '@rekog/mcp-nest';
import type { Call } from '../call.js';
import { withCallSignal } from '../call-signal.js';
import { DeadlineExceededError, PithError } from '../errors.js';
import { beginWatched } from './begin-watched.js';
import type { Asked, Connected } from './begin-watched.js';
import type { CallerRules } from './caller-identity.js';
import type { CallWatch } from './call-watch.js';
import { identifyCaller } from './caller-identity.js';
import { describeTools } from './describe-tools.js';
import { CORPUS_PROMPT, listedPrompts } from './corpus-lists.js';
import type { CorpusLists } from './corpus-lists.js';
import { toEnvelope, toProtocolError } from './error-envelope.js';
import { renderError } from './render.js';
import { asListed, MAX_URI, readResource, withoutTemplates } from './resource-requests.js';
import { canonicalName, wordsFor } from './surface.js';

export interface PithStrategyOptions extends McpServerOptions {
  readonly rules: CallerRules;
  readonly callTimeoutMs: number;
  readonly now: () => number;
  /** Who looks on at every call. */
  readonly watch: CallWatch;
  /** Null where the tools over the corpus are switched off. */
  readonly corpus: CorpusLists | null;
}

interface Running {
  readonly connection: Connected;
  readonly asked: Asked;
  readonly run: (call: Call) => Promise<object>;
  readonly late: (call: Call, error: DeadlineExceededError) => object;
}

type Handler = (request: RawRequest, context: ServerContext) => Promise<object>;

interface RawRequest {
  readonly params: Record<string, unknown>;
}

/** The low-level server as far as we wrap it; the SDK's own type is generic over every method. */
interface HandlerHost {
  setRequestHandler: (method: string, handler: Handler) => void;
}

/** A request that was sent is being worked on by then. */
const QUIET_MS = 20;

/**
 * mcp-nest's strategy with our edge around it: every call gets its `Call`, tools are listed and accepted under the
 * spellings of the `Surface`, and unknown resources are answered like any other wrong argument.
 */
export class PithStrategy extends McpStrategy {
  private readonly running = new Set<Promise<object>>();

  constructor(private readonly edge: PithStrategyOptions) {
    super(edge);
  }

  override bindRequestHandlers(server: McpServer, session: McpSessionSeed, rawRequest?: unknown): void {
    // The library binds its handlers here and offers no hook of its own; so we stand in for the registrar meanwhile.
    const host = server.server as unknown as HandlerHost;
    const register = host.setRequestHandler;
    host.setRequestHandler = (method, handler) =>
      register.call(host, method, this.wrap(method, handler, server, rawRequest));
    try {
      super.bindRequestHandlers(server, session, rawRequest);
    } finally {
      host.setRequestHandler = register;
    }
  }

  private wrap(method: string, handler: Handler, server: McpServer, rawRequest: unknown): Handler {
    const { rules } = this.edge;
    switch (method) {
      case 'tools/call':
        return (request, sdkContext) => {
          const name = canonicalName(rules.surface, String(request.params['name']));
          const named = { ...request, params: { ...request.params, name } };
          const late = (call: Call, error: DeadlineExceededError): object =>
            renderError(call, error, rules.surface);
          const connection = { server, rawRequest, sdkContext };
          const asked = { method, params: named.params };
          return this.during({ connection, asked, run: () => handler(named, sdkContext), late });
        };
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = String(request.params['uri']).slice(0, MAX_URI);
          return this.asCall({ server, rawRequest, sdkContext }, { method, uri, ...request }, () =>
            readResource(String(request.params['uri']), () => handler(request, sdkContext)),
          );
        };
      case 'prompts/get':
        return (request, sdkContext) => {
          const params = { ...request.params, name: CORPUS_PROMPT, arguments: { ...request.params } };
          return this.asCall({ server, rawRequest, sdkContext }, { method, ...request }, () =>
            handler({ ...request, params }, sdkContext),
          );
        };
      default:
        return this.wrapList(method, handler, server, rawRequest);
    }
  }

  /** Lists say what the corpus holds. */
  private wrapList(method: string, handler: Handler, server: McpServer, rawRequest: unknown): Handler {
    const { rules, corpus } = this.edge;
    switch (method) {
      case 'tools/list':
        return async (_request, sdkContext) => {
          const caller = identifyCaller({ server, sdkContext, rawRequest }, rules);
          return { tools: describeTools(rules.surface, caller, (await corpus?.facts()) ?? null) };
        };
      case 'resources/templates/list':
        return async (request, sdkContext) => {
          const listed = asListed(await handler(request, sdkContext), rules.surface.uriScheme);
          const { isOperator } = identifyCaller({ server, sdkContext, rawRequest }, rules);
          const hidden = [
            ...((await corpus?.offersDocuments()) ? [] : ['docs:///']),
            ...(isOperator && rules.surface.offersDiagnostics
              ? []
              : [`${rules.surface.uriScheme}://diagnostics/`]),
          ];
          return withoutTemplates(listed, hidden);
        };
      case 'resources/list':
        if (!corpus) return handler;
        return (request, sdkContext) =>
          this.asCall({ server, rawRequest, sdkContext }, { method, ...request }, () =>
            corpus.resources(cursorOf(request)),
          );
      case 'prompts/list':
        return async () => ({ prompts: listedPrompts((await corpus?.facts()) ?? null) });
      default:
        return handler;
    }
  }

  /** Runs what has no error result: its failures become JSON-RPC errors with the envelope as data. */
  private asCall(
    connection: Connected,
    asked: Asked & { readonly uri?: string },
    run: () => Promise<object>,
  ): Promise<object> {
    const { surface } = this.edge.rules;
    const refuse = (call: Call, error: unknown): ProtocolError => {
      const spell = (text: string): string => wordsFor(call.caller, text, surface);
      return toProtocolError(toEnvelope(error, call, spell), asked.uri);
    };
    return this.during({
      connection,
      asked,
      run: (call) =>
        run().catch((error: unknown) => {
          throw error instanceof PithError ? refuse(call, error) : error;
        }),
      late: (call, error) => Promise.reject(refuse(call, error)),
    });
  }

  /** Runs a call; what answers first counts: the handler or, when its time is over, `late`. */
  private async during({ connection, asked, run, late }: Running): Promise<object> {
    const { callTimeoutMs } = this.edge;
    const deadline = new AbortController();
    const { call, end } = beginWatched(connection, asked, { deadline: deadline.signal, edge: this.edge });
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<object>((resolve, reject) => {
      timer = setTimeout(() => {
        const error = deadlinePassed(callTimeoutMs);
        deadline.abort(error);
        Promise.resolve(late(call, error)).then(resolve, reject);
      }, callTimeoutMs);
    });
    const running = withCallSignal(call.signal, () => run(call));
    this.running.add(running);
    let answer: object = {};
    try {
      answer = await Promise.race([running, over]);
      return answer;
    } finally {
      clearTimeout(timer);
      this.running.delete(running);
      end(answer);
    }
  }

  /** Waits for the calls under way and for those that are still being read, but no longer than so many milliseconds. */
  async drain(ms: number): Promise<void> {
    const until = performance.now() + ms;
    do {
      const left = delay(Math.max(0, until - performance.now()), undefined, { ref: false });
      await Promise.race([Promise.allSettled(this.running), left]);
      await delay(QUIET_MS);
    } while (this.running.size > 0 && performance.now() < until);
  }
}

function deadlinePassed(timeoutMs: number): DeadlineExceededError {
  return new DeadlineExceededError(`The call took longer than ${timeoutMs} ms.`, {
    reason: 'deadline',
    hint: 'Try once more with a narrower question or filters.',
  });
}

/** Lists may be asked for without any parameters. */
function cursorOf({ params }: Partial<RawRequest>): string | undefined {
  const cursor = params?.['cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}
