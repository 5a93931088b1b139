import type { McpServer } from '@modelcontextprotocol/server';
import { type McpServerOptions, type McpSessionSeed, McpStrategy } from '@rekog/mcp-nest';
import type { Request } from 'express';
import type { Call, Caller } from '../../core/call.js';
import { withCallSignal } from '../../core/call-signal.js';
import { PithError } from '../../core/errors.js';
import { CORPUS_PROMPT, unknownPrompt } from '../corpus-lists.js';
import { isProvided, PROVIDER_HANDLER } from '../define-tool.js';
import { questionOr } from '../input-requests.js';
import type { CallWatch } from '../pipeline/call-watch.js';
import { type BoundConnection, identifyCaller } from '../pipeline/caller-identity.js';
import type { CallerLimits } from '../pipeline/caller-limits.js';
import { type CallConnection, type McpRequest, startObservedCall } from '../pipeline/observed-call.js';
import { usageOf } from '../pipeline/output-usage.js';
import { toEnvelope, toProtocolError } from '../rendering/error-envelope.js';
import { refsOfUri } from '../rendering/refs-of.js';
import { renderError } from '../rendering/render.js';
import { readResource, unknownResource } from '../resource-requests.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import { knownTool } from '../surface/known-tool.js';
import { aliasFor, canonicalName, spelledFor, type ToolState } from '../surface/surface.js';
import { paramText, usedTool } from '../surface/used-tool.js';
import {
  addClientInstructions,
  type Handler,
  type HandlerHost,
  type RawRequest,
} from './client-instructions.js';
import { listAnswers } from './list-requests.js';
import { unknownTool } from './refused-requests.js';
import { RunningCalls } from './running-calls.js';
import { ShownCorpus, type ShownCorpusOptions } from './shown-corpus.js';
import { whenOver } from './when-over.js';

export interface PithStrategyOptions extends McpServerOptions, ShownCorpusOptions {
  readonly limits: CallerLimits;
  readonly watch: CallWatch;
}

interface Running {
  readonly connection: CallConnection;
  readonly request: McpRequest;
  readonly caller: Caller;
  /** Undefined for other methods, and for tools that the caller does not know. */
  readonly tool: ToolState | undefined;
  readonly run: (call: Call) => Promise<object>;
  /** The answer to a failure of the call, such as a passed deadline; throws for methods without error results. */
  readonly refuse: (call: Call, error: PithError) => object;
}

/**
 * Extends mcp-nest's strategy: every request gets a `Call`, tools are listed and accepted under the names of the
 * `Surface`, and unknown resources become invalid-argument errors.
 */
export class PithStrategy extends McpStrategy {
  private readonly running = new RunningCalls();
  private readonly shown: ShownCorpus;
  private readonly lists: ReturnType<typeof listAnswers>;

  constructor(private readonly edge: PithStrategyOptions) {
    super(edge);
    const { rules, corpus } = edge;
    this.shown = new ShownCorpus(edge);
    this.lists = listAnswers({ surface: rules.surface, corpus, shown: this.shown });
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
    if (session.stateless) closeWithResponse(server, rawRequest);
  }

  private wrap(method: string, handler: Handler, bound: BoundConnection): Handler {
    switch (method) {
      case 'tools/call':
        return this.wrapCall(handler, bound);
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = paramText(request.params, 'uri');
          return this.asCall({ ...bound, sdkContext }, { method, uri, ...request }, (call) =>
            this.limited(call, async () => {
              const tool = usedTool(this.edge.rules.surface, method, request.params);
              this.checkOffered(call, tool, unknownResource(uri));
              const contents = await readResource(uri, () => handler(request, sdkContext));
              call.trace.refs = refsOfUri(uri);
              return contents;
            }),
          );
        };
      case 'prompts/get':
        return (request, sdkContext) => {
          const params = { ...request.params, name: CORPUS_PROMPT, arguments: { ...request.params } };
          return this.asCall({ ...bound, sdkContext }, { method, ...request }, (call) =>
            this.limited(call, async () => {
              const tool = usedTool(this.edge.rules.surface, method, request.params);
              this.checkOffered(call, tool, unknownPrompt(paramText(request.params, 'name')));
              return handler({ ...request, params }, sdkContext);
            }),
          );
        };
      default:
        return this.wrapList(method, handler, bound);
    }
  }

  private wrapCall(handler: Handler, bound: BoundConnection): Handler {
    const { surface } = this.edge.rules;
    return (request, sdkContext) => {
      const sent = paramText(request.params, 'name');
      const name = canonicalName(surface, sent);
      const connection = { ...bound, sdkContext };
      const caller = identifyCaller(connection, this.edge.rules);
      const tool = knownTool(surface, name, caller);
      const run = async (call: Call): Promise<object> => {
        if (!tool) {
          if (surface.tools.has(name)) surface.access.noteRefusal(call, name);
          throw unknownTool(sent);
        }
        const alias = aliasFor(surface, sent);
        if (alias !== null) call.trace.warnings.push(aliasWarning(alias, spelledFor(name, caller.host)));
        const handled = isProvided(tool.definition) ? PROVIDER_HANDLER : name;
        return handler({ ...request, params: { ...request.params, name: handled } }, sdkContext);
      };
      return this.runCall({
        ...{ connection, caller, tool },
        request: { method: 'tools/call', params: { ...request.params, name } },
        run: (call) => this.limited(call, () => run(call)),
        refuse: (call, error) => renderError(call, error, { surface, tool: tool?.definition }),
      });
    };
  }

  private wrapList(method: string, handler: Handler, bound: BoundConnection): Handler {
    const answer = this.lists.get(method);
    if (!answer) return handler;
    return async (request, sdkContext) => {
      const connection = { ...bound, sdkContext };
      const cursor = cursorOf(request);
      const listed = (caller: Caller): Promise<object> =>
        answer({ caller, cursor, ownAnswer: () => handler(request, sdkContext) });
      if (method !== 'resources/list') return listed(identifyCaller(connection, this.edge.rules));
      return this.asCall(connection, { method, ...request }, ({ caller }) => listed(caller));
    };
  }

  /** @throws `unknown` unless the caller is offered the tool that decides about a resource or prompt */
  private checkOffered(call: Call, tool: string | null, unknown: PithError): void {
    const { access } = this.edge.rules.surface;
    if (tool !== null && access.offers(call.caller, tool)) return;
    if (tool !== null) access.noteRefusal(call, tool);
    throw unknown;
  }

  /** Runs a call within what its caller may take. Lists are not limited. */
  private async limited(call: Call, run: () => Promise<object>): Promise<object> {
    const leave = this.edge.limits.admit(call.caller, call.now());
    let answer: object = {};
    try {
      answer = await run();
      return answer;
    } finally {
      leave(() => (call.trace.usage ?? usageOf(answer, null)).bytes);
    }
  }

  /** Runs a method that has no error result: failures become JSON-RPC errors with the envelope as data. */
  private asCall(
    connection: CallConnection,
    request: McpRequest & { readonly uri?: string },
    run: (call: Call) => Promise<object>,
  ): Promise<object> {
    const { rules } = this.edge;
    const caller = identifyCaller(connection, rules);
    const refuse = (call: Call, error: PithError): never => {
      throw toProtocolError(toEnvelope(error, call, textAdapterFor(caller, rules.surface)), request.uri);
    };
    return this.runCall({ connection, request, caller, tool: undefined, run, refuse });
  }

  /** Runs a call until it is answered or its deadline has passed. Failures are answered by `refuse`. */
  private async runCall({ connection, request, caller, tool, run, refuse }: Running): Promise<object> {
    const timeoutMs = this.edge.limits.callTimeoutMs + (tool?.definition.waitsMs ?? 0);
    const deadline = new AbortController();
    const started = { ...this.edge, caller, tool, deadline: deadline.signal };
    const { call, end } = startObservedCall(connection, request, started);
    let answer: object = {};
    try {
      const answered = () =>
        questionOr(
          connection.sdkContext,
          withCallSignal(call.signal, () => run(call)),
        );
      answer = await this.running.within(timeoutMs, deadline, answered);
      return answer;
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      answer = refuse(call, error);
      return answer;
    } finally {
      end(answer);
    }
  }

  /** Waits for running calls and for requests that are still being read. @param ms  longest wait, in milliseconds */
  drain(ms: number): Promise<void> {
    return this.running.drain(ms);
  }
}

/** Ends the calls of an HTTP request when its connection closes: nobody can receive their answers. */
function closeWithResponse(server: McpServer, rawRequest: unknown): void {
  const request = rawRequest as Request;
  if (request.res) whenOver(request, request.res, () => void server.close());
}

function aliasWarning(alias: string, tool: string): string {
  return `deprecated alias: ${alias} is now ${tool}`;
}

/** List requests may have no parameters. */
function cursorOf({ params }: Partial<RawRequest>): string | undefined {
  const cursor = params?.['cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}
