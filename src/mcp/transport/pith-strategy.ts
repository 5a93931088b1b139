import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { McpStrategy } from '@rekog/mcp-nest';
import type { McpServerOptions, McpSessionSeed } from '@rekog/mcp-nest';
import type { Call, Caller } from '../../core/call.js';
import { withCallSignal } from '../../core/call-signal.js';
import { DeadlineExceededError, PithError } from '../../core/errors.js';
import { beginWatched } from '../pipeline/begin-watched.js';
import type { Asked, Connected } from '../pipeline/begin-watched.js';
import type { BoundConnection, CallerRules } from '../pipeline/caller-identity.js';
import type { CallWatch } from '../pipeline/call-watch.js';
import { identifyCaller } from '../pipeline/caller-identity.js';
import { describeTools } from '../surface/describe-tools.js';
import { CORPUS_PROMPT, listedPrompts } from '../corpus-lists.js';
import type { CorpusLists } from '../corpus-lists.js';
import { toEnvelope, toProtocolError } from '../pipeline/error-envelope.js';
import { greetByName } from '../surface/greet-by-name.js';
import type { Handler, HandlerHost, RawRequest } from '../surface/greet-by-name.js';
import { refuseCursor, unknownTool } from './refused-requests.js';
import { renderError } from '../rendering/render.js';
import { asListed, readResource, withoutTemplates } from '../resource-requests.js';
import { canonicalName } from '../surface/surface.js';
import { tellDescriptions, wordsFor } from '../surface/tell-tools.js';

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
      register.call(host, method, this.wrap(method, handler, { server, rawRequest }));
    try {
      super.bindRequestHandlers(server, session, rawRequest);
    } finally {
      host.setRequestHandler = register;
    }
    greetByName({ server, rawRequest }, this.edge);
  }

  private wrap(method: string, handler: Handler, bound: BoundConnection): Handler {
    const { rules } = this.edge;
    switch (method) {
      case 'tools/call':
        return (request, sdkContext) => {
          const name = canonicalName(rules.surface, String(request.params['name']));
          const named = { ...request, params: { ...request.params, name } };
          const late = (call: Call, error: DeadlineExceededError): object =>
            renderError(call, error, rules.surface);
          const connection = { ...bound, sdkContext };
          const asked = { method, params: named.params };
          const run = async (): Promise<object> => {
            if (!rules.surface.tools.has(name)) throw unknownTool(name);
            return handler(named, sdkContext);
          };
          return this.during({ connection, asked, run, late });
        };
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = String(request.params['uri']);
          return this.asCall({ ...bound, sdkContext }, { method, uri, ...request }, () =>
            readResource(uri, () => handler(request, sdkContext)),
          );
        };
      case 'prompts/get':
        return (request, sdkContext) => {
          const params = { ...request.params, name: CORPUS_PROMPT, arguments: { ...request.params } };
          return this.asCall({ ...bound, sdkContext }, { method, ...request }, () =>
            handler({ ...request, params }, sdkContext),
          );
        };
      default:
        return this.wrapList(method, handler, bound);
    }
  }

  /** Lists say what the corpus holds. */
  private wrapList(method: string, handler: Handler, bound: BoundConnection): Handler {
    const { rules, corpus } = this.edge;
    const { surface } = rules;
    switch (method) {
      case 'tools/list':
        return this.onePage(bound, async (caller) => ({
          tools: describeTools(surface, caller, (await corpus?.facts()) ?? null),
        }));
      case 'resources/templates/list':
        return this.onePage(bound, async (caller, request, sdkContext) => {
          const listed = asListed(await handler(request, sdkContext), surface.uriScheme);
          return withoutTemplates(listed, await this.hiddenTemplates(caller));
        });
      case 'prompts/list':
        return this.onePage(bound, async (caller) => {
          const prompts = listedPrompts((await corpus?.facts()) ?? null);
          return { prompts: prompts.map((prompt) => tellDescriptions(prompt, surface, caller)) };
        });
      case 'resources/list':
        return async (request, sdkContext) => {
          if (!corpus) refuseCursor(cursorOf(request));
          return this.asCall({ ...bound, sdkContext }, { method, ...request }, async () =>
            corpus ? corpus.resources(cursorOf(request)) : handler(request, sdkContext),
          );
        };
      default:
        return handler;
    }
  }

  /** Answers a list that has one page, in words for the caller. */
  private onePage(
    bound: BoundConnection,
    list: (caller: Caller, ...asked: Parameters<Handler>) => Promise<object>,
  ): Handler {
    return async (request, sdkContext) => {
      refuseCursor(cursorOf(request));
      return list(identifyCaller({ ...bound, sdkContext }, this.edge.rules), request, sdkContext);
    };
  }

  /** Starts of the templates that match nothing the caller may read. */
  private async hiddenTemplates({ isOperator }: Caller): Promise<readonly string[]> {
    const { rules, corpus } = this.edge;
    const { uriScheme, offersDiagnostics } = rules.surface;
    return [
      ...((await corpus?.offersDocuments()) ? [] : ['docs:///']),
      ...(isOperator && offersDiagnostics ? [] : [`${uriScheme}://diagnostics/`]),
    ];
  }

  /** Runs what has no error result: its failures become JSON-RPC errors with the envelope as data. */
  private asCall(
    connection: Connected,
    asked: Asked & { readonly uri?: string },
    run: () => Promise<object>,
  ): Promise<object> {
    const { surface } = this.edge.rules;
    const refuse = (call: Call, error: unknown): ProtocolError => {
      return toProtocolError(toEnvelope(error, call, wordsFor(call.caller, surface)), asked.uri);
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
