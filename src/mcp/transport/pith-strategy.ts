import { setTimeout as delay } from 'node:timers/promises';
import { type McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { type McpServerOptions, type McpSessionSeed, McpStrategy } from '@rekog/mcp-nest';
import type { Call, Caller } from '../../core/call.js';
import { withCallSignal } from '../../core/call-signal.js';
import { DeadlineExceededError, PithError } from '../../core/errors.js';
import { CORPUS_PROMPT, listedPrompts } from '../corpus-lists.js';
import { isProvided, PROVIDER_HANDLER } from '../define-tool.js';
import { questionOr } from '../input-requests.js';
import type { CallWatch } from '../pipeline/call-watch.js';
import { type BoundConnection, identifyCaller } from '../pipeline/caller-identity.js';
import { type CallConnection, type McpRequest, startObservedCall } from '../pipeline/observed-call.js';
import { toEnvelope, toProtocolError } from '../rendering/error-envelope.js';
import { refsOfUri } from '../rendering/refs-of.js';
import { renderError } from '../rendering/render.js';
import { readResource, withoutTemplates, withPublicTemplates } from '../resource-requests.js';
import { adaptDescriptions, textAdapterFor } from '../surface/adapt-text.js';
import { describeTools } from '../surface/describe-tools.js';
import { aliasFor, canonicalName, spelledFor } from '../surface/surface.js';
import {
  addClientInstructions,
  type Handler,
  type HandlerHost,
  type RawRequest,
} from './client-instructions.js';
import { refuseCursor, unknownTool } from './refused-requests.js';
import { ShownCorpus, type ShownCorpusOptions } from './shown-corpus.js';

export interface PithStrategyOptions extends McpServerOptions, ShownCorpusOptions {
  readonly callTimeoutMs: number;
  readonly watch: CallWatch;
}

interface Running {
  readonly connection: CallConnection;
  readonly request: McpRequest;
  readonly run: (call: Call) => Promise<object>;
  readonly late: (call: Call, error: DeadlineExceededError) => object;
}

/** Long enough for a request that was already received to start running. */
const QUIET_MS = 20;

/**
 * Extends mcp-nest's strategy: every request gets a `Call`, tools are listed and accepted under the names of the
 * `Surface`, and unknown resources become invalid-argument errors.
 */
export class PithStrategy extends McpStrategy {
  private readonly running = new Set<Promise<object>>();
  private readonly shown: ShownCorpus;

  constructor(private readonly edge: PithStrategyOptions) {
    super(edge);
    this.shown = new ShownCorpus(edge);
  }

  override bindRequestHandlers(server: McpServer, session: McpSessionSeed, rawRequest?: unknown): void {
    // The library binds its handlers here and has no hook, so setRequestHandler is replaced during the call.
    const host = server.server as unknown as HandlerHost;
    const register = host.setRequestHandler;
    host.setRequestHandler = (method, handler) =>
      register.call(host, method, this.wrap(method, handler, { server, rawRequest }));
    try {
      super.bindRequestHandlers(server, session, rawRequest);
    } finally {
      host.setRequestHandler = register;
    }
    addClientInstructions({ server, rawRequest }, this.edge.rules, this.shown);
  }

  private wrap(method: string, handler: Handler, bound: BoundConnection): Handler {
    switch (method) {
      case 'tools/call':
        return this.wrapCall(handler, bound);
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = String(request.params['uri']);
          return this.asCall({ ...bound, sdkContext }, { method, uri, ...request }, async ({ trace }) => {
            const contents = await readResource(uri, () => handler(request, sdkContext));
            trace.refs = refsOfUri(uri);
            return contents;
          });
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

  private wrapCall(handler: Handler, bound: BoundConnection): Handler {
    const { rules } = this.edge;
    return (request, sdkContext) => {
      const sent = String(request.params['name']);
      const name = canonicalName(rules.surface, sent);
      const alias = aliasFor(rules.surface, sent);
      const named = { ...request, params: { ...request.params, name } };
      const late = (call: Call, error: DeadlineExceededError): object =>
        renderError(call, error, {
          surface: rules.surface,
          tool: rules.surface.tools.get(name)?.definition,
        });
      const connection = { ...bound, sdkContext };
      const run = async ({ trace, caller }: Call): Promise<object> => {
        if (alias !== null) trace.warnings.push(aliasWarning(alias, spelledFor(name, caller.host)));
        const tool = rules.surface.tools.get(name)?.definition;
        if (!tool) throw unknownTool(name);
        const handled = isProvided(tool) ? PROVIDER_HANDLER : name;
        return handler({ ...named, params: { ...named.params, name: handled } }, sdkContext);
      };
      return this.runCall({ connection, request: { method: 'tools/call', params: named.params }, run, late });
    };
  }

  private wrapList(method: string, handler: Handler, bound: BoundConnection): Handler {
    const { rules, corpus } = this.edge;
    const { surface } = rules;
    switch (method) {
      case 'tools/list':
        return this.onePage(bound, async (caller) => ({
          tools: describeTools(surface, caller, await this.shown.facts(caller)),
        }));
      case 'resources/templates/list':
        return this.onePage(bound, async (caller, request, sdkContext) => {
          const listed = withPublicTemplates(await handler(request, sdkContext), surface.uriScheme);
          return withoutTemplates(listed, await this.shown.hiddenTemplates(caller));
        });
      case 'prompts/list':
        return this.onePage(bound, async (caller) => {
          const facts = (await this.shown.showsDocuments(caller))
            ? await corpus?.facts(caller.scopeLimit)
            : null;
          const prompts = listedPrompts(facts ?? null);
          return { prompts: prompts.map((prompt) => adaptDescriptions(prompt, surface, caller)) };
        });
      case 'resources/list':
        return async (request, sdkContext) => {
          if (!corpus) refuseCursor(cursorOf(request));
          return this.asCall({ ...bound, sdkContext }, { method, ...request }, async ({ caller }) => {
            if (!(await this.shown.showsDocuments(caller))) return { resources: [] };
            return corpus
              ? corpus.resources(cursorOf(request), caller.scopeLimit)
              : handler(request, sdkContext);
          });
        };
      default:
        return handler;
    }
  }

  private onePage(
    bound: BoundConnection,
    list: (caller: Caller, ...request: Parameters<Handler>) => Promise<object>,
  ): Handler {
    return async (request, sdkContext) => {
      refuseCursor(cursorOf(request));
      return list(identifyCaller({ ...bound, sdkContext }, this.edge.rules), request, sdkContext);
    };
  }

  /** Runs a method that has no error result: failures become JSON-RPC errors with the envelope as data. */
  private asCall(
    connection: CallConnection,
    request: McpRequest & { readonly uri?: string },
    run: (call: Call) => Promise<object>,
  ): Promise<object> {
    const { surface } = this.edge.rules;
    const refuse = (call: Call, error: unknown): ProtocolError =>
      toProtocolError(toEnvelope(error, call, textAdapterFor(call.caller, surface)), request.uri);
    return this.runCall({
      connection,
      request,
      run: (call) =>
        run(call).catch((error: unknown) => {
          throw error instanceof PithError ? refuse(call, error) : error;
        }),
      late: (call, error) => Promise.reject(refuse(call, error)),
    });
  }

  /** Runs a call and returns the first answer: the handler's or, after the deadline, that of `late`. */
  private async runCall({ connection, request, run, late }: Running): Promise<object> {
    const timeoutMs = this.timeLimit(request);
    const deadline = new AbortController();
    const { call, end } = startObservedCall(connection, request, { ...this.edge, deadline: deadline.signal });
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<object>((resolve, reject) => {
      timer = setTimeout(() => {
        const error = deadlinePassed(timeoutMs);
        deadline.abort(error);
        Promise.resolve(late(call, error)).then(resolve, reject);
      }, timeoutMs);
    });
    const running = questionOr(
      connection.sdkContext,
      withCallSignal(call.signal, () => run(call)),
    );
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

  private timeLimit({ method, params }: McpRequest): number {
    const { callTimeoutMs, rules } = this.edge;
    if (method !== 'tools/call') return callTimeoutMs;
    return callTimeoutMs + (rules.surface.tools.get(String(params?.['name']))?.definition.waitsMs ?? 0);
  }

  /** Waits for running calls and for requests that are still being read. @param ms  longest wait, in milliseconds */
  async drain(ms: number): Promise<void> {
    const until = performance.now() + ms;
    do {
      const left = delay(Math.max(0, until - performance.now()), undefined, { ref: false });
      await Promise.race([Promise.allSettled(this.running), left]);
      await delay(QUIET_MS);
    } while (this.running.size > 0 && performance.now() < until);
  }
}

function aliasWarning(alias: string, tool: string): string {
  return `deprecated alias: ${alias} is now ${tool}`;
}

function deadlinePassed(timeoutMs: number): DeadlineExceededError {
  return new DeadlineExceededError(`The call took longer than ${timeoutMs} ms.`, {
    reason: 'deadline',
    hint: 'Try once more with a narrower question or filters.',
  });
}

/** List requests may have no parameters. */
function cursorOf({ params }: Partial<RawRequest>): string | undefined {
  const cursor = params?.['cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}
