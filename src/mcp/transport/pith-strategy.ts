import {
  type LoggingLevel,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type McpServerOptions, type McpSessionSeed, McpStrategy } from '@rekog/mcp-nest';
import type { Request } from 'express';
import { z } from 'zod';
import type { Call, Caller } from '../../core/call.js';
import { featureDisabled, type PithError } from '../../core/errors.js';
import { LOG_LEVELS } from '../call-reports.js';
import { noteDecider } from '../calls.js';
import { CORPUS_PROMPT, unknownPrompt } from '../corpus-lists.js';
import { type AnyTool, isProvided, PROVIDER_HANDLER } from '../define-tool.js';
import { type BoundConnection, identifyCaller } from '../pipeline/caller-identity.js';
import { fitArguments } from '../pipeline/input.stage.js';
import { paramText } from '../pipeline/observed-call.js';
import { resourceRefs } from '../rendering/collect-refs.js';
import { renderError } from '../rendering/render.js';
import { readResource, toolBehind, unknownResource } from '../resource-requests.js';
import { answerSkills, SKILL_METHODS } from '../surface/skills.js';
import { aliasFor, canonicalName, knownTool, spelledFor } from '../surface/surface.js';
import { CallRunner, type CallRunnerParts } from './call-runner.js';
import {
  addClientInstructions,
  type Handler,
  type HandlerHost,
  type RawRequest,
  setCustomHandler,
} from './client-instructions.js';
import { completeArgument } from './complete-argument.js';
import { listAnswers } from './list-requests.js';
import { bindSubscriptions } from './resource-subscriptions.js';
import { whenOver } from './response-end.js';
import { ShownCorpus, type ShownCorpusOptions } from './shown-corpus.js';

export interface PithStrategyOptions extends McpServerOptions, ShownCorpusOptions, CallRunnerParts {
  /** Tools of features that are off: they are imported when a call names a tool that the server does not know. */
  readonly offTools: () => Promise<readonly AnyTool[]>;
}

const levelSchema = z.enum(LOG_LEVELS);

/**
 * Extends mcp-nest's strategy: every request gets a `Call`, tools are listed and accepted under the names of the
 * `Surface`, and unknown resources become invalid-argument errors.
 */
export class PithStrategy extends McpStrategy {
  private readonly shown: ShownCorpus;
  private readonly lists: ReturnType<typeof listAnswers>;
  private readonly calls: CallRunner;
  private addingOffTools: Promise<void> | null = null;
  /** Names of tools whose feature is not imported. */
  private readonly absent = new Set<string>();

  constructor(private readonly edge: PithStrategyOptions) {
    super(edge);
    const { rules, corpus } = edge;
    this.shown = new ShownCorpus(edge);
    this.calls = new CallRunner(edge);
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
    this.bindUtilities(host, { server, rawRequest });
    // Over HTTP there is no stream on which a client of 2025 could be told.
    if (session.transport === 'stdio' && session.era !== 'modern')
      this.bindSubscriptions(host, { server, rawRequest });
    this.showInputSchemas({ server, rawRequest });
    addClientInstructions({ server, rawRequest }, this.edge.rules, this.shown);
    if (session.stateless) closeWithResponse(server, rawRequest);
  }

  /** Binds the methods that mcp-nest does not know. */
  private bindUtilities(host: HandlerHost, bound: BoundConnection): void {
    host.setRequestHandler('logging/setLevel', async (request, { sessionId }) => {
      this.calls.levels.set(bound.server, sessionId ?? null, levelIn(request));
      return {};
    });
    if (!this.edge.corpus) return;
    for (const method of SKILL_METHODS)
      setCustomHandler(host, method, (request, sdkContext) =>
        this.calls.asCall({ ...bound, sdkContext }, { method, ...request }, async ({ caller }) =>
          answerSkills(method, paramText(request.params, 'uri'), await this.shown.skill(caller)),
        ),
      );
    host.setRequestHandler('completion/complete', (request, sdkContext) =>
      this.calls.asCall({ ...bound, sdkContext }, { method: 'completion/complete', ...request }, (call) =>
        this.calls.limited(call, () => this.complete(call, request)),
      ),
    );
  }

  private bindSubscriptions(host: HandlerHost, bound: BoundConnection): void {
    const { corpus, rules } = this.edge;
    if (!corpus) return;
    const caller = identifyCaller({ ...bound, sdkContext: undefined }, rules);
    bindSubscriptions(host, bound, {
      calls: this.calls,
      readState: async (uri) =>
        (await this.shown.showsDocuments(caller)) ? corpus.readState(uri, caller.scopeLimit) : null,
    });
  }

  /**
   * Lets the SDK check `Mcp-Param-*` headers, for which it asks the server about the schema of the tool. It knows those of
   * registered tools only, and has no public way for others, so its internal method is replaced.
   */
  private showInputSchemas(bound: BoundConnection): void {
    const { surface } = this.edge.rules;
    const toolInputSchemaJson = (sent: string) => {
      const caller = identifyCaller({ ...bound, sdkContext: undefined }, this.edge.rules);
      const tool = knownTool(surface, canonicalName(surface, sent), caller);
      return tool && (isProvided(tool.definition) || tool.definition.listedFor)
        ? tool.inputSchema
        : undefined;
    };
    Object.assign(bound.server, { toolInputSchemaJson });
  }

  private complete({ caller }: Call, { params }: RawRequest): Promise<object> {
    const { corpus, rules } = this.edge;
    const { uriScheme } = rules.surface;
    const others = [`${uriScheme}://scratch/`, `${uriScheme}://diagnostics/`];
    return completeArgument(params, { caller, corpus, others, shown: this.shown });
  }

  private wrap(method: string, handler: Handler, bound: BoundConnection): Handler {
    switch (method) {
      case 'tools/call':
        return this.wrapCall(handler, bound);
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = paramText(request.params, 'uri');
          return this.calls.asCall({ ...bound, sdkContext }, { method, uri, ...request }, (call) =>
            this.calls.limited(call, async () => {
              const own = await this.shown.readOwn(uri, call.caller);
              if (own) return own;
              const tool = this.toolBehind(method, uri);
              this.checkOffered(call, tool, unknownResource(uri));
              if (tool !== null) noteDecider(sdkContext, tool);
              const contents = await readResource(uri, () => handler(request, sdkContext));
              call.trace.refs = resourceRefs(call, uri);
              return contents;
            }),
          );
        };
      case 'prompts/get':
        return (request, sdkContext) => {
          const asked = paramText(request.params, 'name');
          const name = this.promptHandler(asked);
          const params = { ...request.params, name, arguments: { ...request.params } };
          return this.calls.asCall({ ...bound, sdkContext }, { method, ...request }, (call) =>
            this.calls.limited(call, async () => {
              this.checkOffered(call, this.toolBehind(method, ''), unknownPrompt(asked));
              return handler({ ...request, params }, sdkContext);
            }),
          );
        };
      default:
        return this.wrapList(method, handler, bound);
    }
  }

  /** The tool that decides about a resource or prompt; null for unknown URIs. An application with more of them overrides it. */
  protected toolBehind(method: string, uri: string): string | null {
    return toolBehind(method, uri);
  }

  /** The name under which mcp-nest knows the handler of a prompt. An application with more handlers overrides it. */
  protected promptHandler(_name: string): string {
    return CORPUS_PROMPT;
  }

  private wrapCall(handler: Handler, bound: BoundConnection): Handler {
    const { surface } = this.edge.rules;
    const call = this.callTool(handler, bound);
    return (request, sdkContext) => {
      const name = canonicalName(surface, paramText(request.params, 'name'));
      if (surface.tools.has(name)) return call(request, sdkContext);
      // The answer to a call of a tool that is off names the reason.
      this.addingOffTools ??= this.addOffTools().catch((error: unknown) => {
        this.addingOffTools = null;
        throw error;
      });
      return this.calls.beforeCall(this.addingOffTools).then(() => call(request, sdkContext));
    };
  }

  /** For the first call of a tool that the server does not know. */
  private async addOffTools(): Promise<void> {
    const { surface } = this.edge.rules;
    const definitions = await this.edge.offTools();
    for (const { name } of definitions) this.absent.add(name);
    surface.add(definitions);
    surface.access.add?.(definitions);
  }

  private callTool(handler: Handler, bound: BoundConnection): Handler {
    const { surface } = this.edge.rules;
    return (request, sdkContext) => {
      const sent = paramText(request.params, 'name');
      const name = canonicalName(surface, sent);
      const connection = { ...bound, sdkContext };
      const caller = identifyCaller(connection, this.edge.rules);
      const tool = knownTool(surface, name, caller);
      const args = request.params['arguments'];
      const params = tool
        ? { ...request.params, arguments: fitArguments(tool.definition, args) }
        : request.params;
      const run = async (call: Call): Promise<object> => {
        if (!tool) {
          if (surface.tools.has(name)) surface.access.noteRefusal(call, name);
          throw unknownTool(sent);
        }
        const alias = aliasFor(surface, sent);
        if (alias !== null) call.trace.warnings.push(aliasWarning(alias, spelledFor(name, caller.host)));
        // No handler is bound to it, so that the guard of flags is not reached.
        if (this.absent.has(name)) throw featureDisabled(name);
        const handled = isProvided(tool.definition) ? PROVIDER_HANDLER : name;
        return handler({ ...request, params: { ...params, name: handled } }, sdkContext);
      };
      return this.calls.run({
        ...{ connection, caller, tool },
        request: { method: 'tools/call', params: { ...params, name } },
        run: (call) => this.calls.limited(call, () => run(call)),
        refuse: (call, error) => renderError(call, error, { surface, tool: tool?.definition }),
      });
    };
  }

  private wrapList(method: string, handler: Handler, bound: BoundConnection): Handler {
    const answer = this.lists.get(method);
    if (!answer) return handler;
    return async (request, sdkContext) => {
      const connection = { ...bound, sdkContext };
      const cursor = readCursor(request);
      const listed = (caller: Caller): Promise<object> =>
        answer({ caller, cursor, ownAnswer: () => handler(request, sdkContext) });
      if (method !== 'resources/list') return listed(identifyCaller(connection, this.edge.rules));
      return this.calls.asCall(connection, { method, ...request }, ({ caller }) => listed(caller));
    };
  }

  /** @throws `unknown` unless the caller is offered the tool that decides about a resource or prompt */
  private checkOffered(call: Call, tool: string | null, unknown: PithError): void {
    const { access } = this.edge.rules.surface;
    if (tool !== null && access.offers(call.caller, tool)) return;
    if (tool !== null) access.noteRefusal(call, tool);
    throw unknown;
  }

  /** Waits for running calls, `ms` milliseconds at most. @returns the number of calls that still run */
  drain(ms: number): Promise<number> {
    return this.calls.drain(ms);
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
function readCursor({ params }: Partial<RawRequest>): string | undefined {
  const cursor = params?.['cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}

/** The SDK has checked the request. */
const levelIn = ({ params }: RawRequest): LoggingLevel => levelSchema.parse(params['level']);

/** Valid tool names of the protocol; an invalid name is not repeated in the error. */
const TOOL_NAME = /^[\w.-]{1,128}$/;

function unknownTool(name: string): ProtocolError {
  const shown = TOOL_NAME.test(name) ? `: ${name}` : '';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool${shown}. Call tools/list.`);
}
