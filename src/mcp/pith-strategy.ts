import { randomUUID } from 'node:crypto';
import { ProtocolError } from '@modelcontextprotocol/server';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { McpStrategy } from '@rekog/mcp-nest';
import type { McpServerOptions, McpSessionSeed } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Call } from '../call.js';
import { newTrace } from '../call.js';
import { DeadlineExceededError, InvalidArgumentError, PithError } from '../errors.js';
import { identifyCaller } from './caller-identity.js';
import type { CallerRules, Connection } from './caller-identity.js';
import { beginCall } from './calls.js';
import { describeTools } from './describe-tools.js';
import { CORPUS_PROMPT, listedPrompts } from './corpus-lists.js';
import type { CorpusLists } from './corpus-lists.js';
import { toEnvelope, toProtocolError } from './error-envelope.js';
import { renderError } from './render.js';
import { canonicalName, wordsFor } from './surface.js';

export interface PithStrategyOptions extends McpServerOptions {
  readonly rules: CallerRules;
  readonly callTimeoutMs: number;
  readonly now: () => number;
  /** Null where the tools over the corpus are switched off. */
  readonly corpus: CorpusLists | null;
}

type Handler = (request: RawRequest, context: ServerContext) => Promise<object>;

interface RawRequest {
  readonly params: Record<string, unknown>;
}

/** The low-level server as far as we wrap it; the SDK's own type is generic over every method. */
interface HandlerHost {
  setRequestHandler: (method: string, handler: Handler) => void;
}

const MAX_URI = 2_048;
const NO_SCOPE_YET = { projectId: '', environment: '', docTags: null, repositories: null };

function unknownResource(uri: string): InvalidArgumentError {
  const isDocument = /^docs:/i.test(uri);
  return new InvalidArgumentError('There is no such resource.', {
    reason: 'resource_not_found',
    hint: isDocument
      ? 'Read only URIs that resources/list names.'
      : 'Read only URIs that kb.search returned in this session.',
  });
}

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
          return this.during({ server, rawRequest, sdkContext }, () => handler(named, sdkContext), late);
        };
      case 'resources/read':
        return (request, sdkContext) => {
          const uri = String(request.params['uri']).slice(0, MAX_URI);
          return this.asCall({ server, rawRequest, sdkContext }, uri, () =>
            readResource(request, () => handler(request, sdkContext)),
          );
        };
      case 'prompts/get':
        return (request, sdkContext) => {
          const params = { ...request.params, name: CORPUS_PROMPT, arguments: { ...request.params } };
          return this.asCall({ server, rawRequest, sdkContext }, undefined, () =>
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
          const { host } = identifyCaller({ server, sdkContext, rawRequest }, rules);
          return { tools: describeTools(rules.surface, host, (await corpus?.facts()) ?? null) };
        };
      case 'resources/templates/list':
        return async (request, sdkContext) => {
          const listed = asListed(await handler(request, sdkContext), rules.surface.uriScheme);
          return (await corpus?.offersDocuments()) ? listed : withoutDocuments(listed);
        };
      case 'resources/list':
        if (!corpus) return handler;
        return (request, sdkContext) =>
          this.asCall({ server, rawRequest, sdkContext }, undefined, () =>
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
    connection: Connection & { readonly sdkContext: ServerContext },
    uri: string | undefined,
    run: () => Promise<object>,
  ): Promise<object> {
    const { surface } = this.edge.rules;
    const refuse = (call: Call, error: unknown): ProtocolError => {
      const spell = (text: string): string => wordsFor(call.caller, text, surface);
      return toProtocolError(toEnvelope(error, call.id, spell), uri);
    };
    return this.during(
      connection,
      (call) =>
        run().catch((error: unknown) => {
          throw error instanceof PithError ? refuse(call, error) : error;
        }),
      (call, error) => Promise.reject(refuse(call, error)),
    );
  }

  /** Runs a call; what answers first counts: the handler or, when its time is over, `late`. */
  private async during(
    connection: Connection & { readonly sdkContext: ServerContext },
    run: (call: Call) => Promise<object>,
    late: (call: Call, error: DeadlineExceededError) => object,
  ): Promise<object> {
    const { rules, callTimeoutMs, now } = this.edge;
    const deadline = new AbortController();
    const call: Call = {
      id: randomUUID(),
      caller: identifyCaller(connection, rules),
      scope: NO_SCOPE_YET,
      signal: AbortSignal.any([connection.sdkContext.mcpReq.signal, deadline.signal]),
      now,
      trace: newTrace(),
    };
    beginCall(connection.sdkContext, call);
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<object>((resolve, reject) => {
      timer = setTimeout(() => {
        const error = deadlinePassed(callTimeoutMs);
        deadline.abort(error);
        Promise.resolve(late(call, error)).then(resolve, reject);
      }, callTimeoutMs);
    });
    const running = run(call);
    this.running.add(running);
    try {
      return await Promise.race([running, over]);
    } finally {
      clearTimeout(timer);
      this.running.delete(running);
    }
  }

  /** Waits for the calls under way, but no longer than so many milliseconds. */
  async drain(ms: number): Promise<void> {
    const waited = new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
    await Promise.race([Promise.allSettled(this.running), waited]);
  }
}

function deadlinePassed(timeoutMs: number): DeadlineExceededError {
  return new DeadlineExceededError(`The call took longer than ${timeoutMs} ms.`, {
    reason: 'deadline',
    hint: 'Try once more with a narrower question or filters.',
  });
}

async function readResource(request: RawRequest, read: () => Promise<object>): Promise<object> {
  const uri = String(request.params['uri']);
  if (uri.length > MAX_URI) throw unknownResource(uri);
  try {
    return await read();
  } catch (error) {
    // The library's own answer to a URI that no template matches carries no data; bad percent-encoding is a URIError.
    if (error instanceof URIError) throw unknownResource(uri);
    if (!(error instanceof ProtocolError)) throw error;
    if (error.data === undefined) throw unknownResource(uri);
    throw new ProtocolError(error.code, error.message, { ...error.data, uri });
  }
}

/** Lists may be asked for without any parameters. */
function cursorOf({ params }: Partial<RawRequest>): string | undefined {
  const cursor = params?.['cursor'];
  return typeof cursor === 'string' ? cursor : undefined;
}

const templatesSchema = z.looseObject({
  resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string() })),
});

/** A template that nothing can be read by is none. */
function withoutDocuments(result: object): object {
  const { resourceTemplates, ...rest } = templatesSchema.parse(result);
  return {
    ...rest,
    resourceTemplates: resourceTemplates.filter(({ uriTemplate }) => !uriTemplate.startsWith('docs:')),
  };
}

/** Templates under the configured scheme, and paths as RFC 6570 has them, which the library's matcher can't read. */
function asListed(result: object, scheme: string): object {
  const json = JSON.stringify(result)
    .replaceAll('"wekadocs://', `"${scheme}://`)
    .replaceAll('{path*}', '{+path}');
  const parsed: object = JSON.parse(json);
  return parsed;
}
