import {
  classifyInboundRequest,
  InMemoryTransport,
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { type McpHttpHandler, type McpTransportContext, StreamableHttpTransport } from '@rekog/mcp-nest';
import type { Request, Response } from 'express';
import type { CallerRules } from '../../pipeline/caller-identity.js';
import { principalOf } from '../../principals.js';
import type { ProjectServer, ToolCaller } from '../project-servers.js';
import { rpcFailure, SERVER_ERROR } from '../rpc-failure.js';
import { Exchange } from './exchange.js';
import { Exchanges } from './exchanges.js';
import { openingOf, SessionIds } from './session-ids.js';

const SESSION_HEADER = 'mcp-session-id';

function isModern(request: Request): boolean {
  const outcome = classifyInboundRequest({
    httpMethod: request.method,
    protocolVersionHeader: request.get('mcp-protocol-version'),
    mcpMethodHeader: request.get('mcp-method'),
    mcpNameHeader: request.get('mcp-name'),
    body: request.body as unknown,
  });
  return outcome.kind !== 'legacy';
}

function checkHeaders(request: Request, messages: readonly JSONRPCMessage[]): void {
  const accepted = request.get('accept') ?? '';
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream'))
    throw rpcFailure(
      406,
      SERVER_ERROR,
      'Not Acceptable: Client must accept both application/json and text/event-stream',
    );
  const version = request.get('mcp-protocol-version');
  const isOpening = messages.some(isInitializeRequest);
  if (isOpening && messages.length > 1)
    throw rpcFailure(400, -32_600, 'Invalid request: initialize is sent alone.');
  if (!isOpening && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    throw rpcFailure(
      400,
      SERVER_ERROR,
      `Bad Request: Unsupported protocol version: ${version} (supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')})`,
    );
}

/**
 * MCP over HTTP without sessions in memory. mcp-nest serves clients of 2026-07-28. For those of 2025, this class adds what
 * they can do in a session: they receive progress and log messages, answer questions, and cancel requests.
 */
export class HttpTransport extends StreamableHttpTransport {
  private readonly exchanges = new Exchanges();
  private readonly ids: SessionIds;
  private context: McpTransportContext | null = null;

  /** @param secret  signs session ids; read at the first request */
  constructor(secret: () => string) {
    super();
    this.ids = new SessionIds(secret);
  }

  override start(context: McpTransportContext): void {
    this.context = context;
    super.start(context);
  }

  override get httpHandlers(): McpHttpHandler {
    const handlers = super.httpHandlers;
    return {
      ...handlers,
      handlePost: async (request: Request, response: Response) =>
        isModern(request) ? handlers.handlePost(request, response) : this.post(request, response),
    };
  }

  private async post(request: Request, response: Response): Promise<void> {
    const body: unknown = request.body;
    const isBatch = Array.isArray(body);
    // The controller has read and checked the body.
    const messages = (isBatch ? body : [body]) as readonly JSONRPCMessage[];
    checkHeaders(request, messages);
    const { name: principal } = principalOf(request);
    const id = request.get(SESSION_HEADER);
    const opening = id === undefined ? null : this.ids.read(principal, id);
    const sender = { principal, session: opening === null ? null : (id ?? null) };
    if (!messages.some(isJSONRPCRequest)) {
      for (const message of messages) this.note(sender, message);
      response.status(202).end();
      return;
    }
    const exchange = new Exchange({
      ...{ sender, opening, response, messages, isBatch, exchanges: this.exchanges },
      onNote: (message) => this.note(sender, message),
      onAnswer: ({ method, params }, answer) => {
        if (method !== 'initialize' || !('result' in answer)) return;
        const issued = this.ids.issue(principal, openingOf(params));
        if (issued !== null) response.setHeader('Mcp-Session-Id', issued);
      },
    });
    const server = this.serverFor(request, sender.session);
    await server.connect(exchange);
    await exchange.run();
  }

  /** Calls a tool for a request whose body is not a message. */
  readonly callTool: ToolCaller = async (request, params) => {
    const server = this.serverFor(request, null);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    try {
      return await new Promise((resolve, reject) => {
        near.onclose = () => resolve(null);
        near.onmessage = (message) => {
          if (!('method' in message)) resolve(message);
        };
        near.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params } }).catch(reject);
      });
    } finally {
      await server.close();
    }
  };

  private serverFor(request: Request, session: string | null): McpServer {
    if (!this.context) throw new Error('the transport has not started');
    const seed = { transport: this.kind, stateless: true, era: 'legacy' } as const;
    return this.context.createBoundServer(session === null ? seed : { ...seed, sessionId: session }, request);
  }

  /** Takes a message that needs no reply. Answers that nobody waits for are ignored. */
  private note(sender: { principal: string; session: string | null }, message: JSONRPCMessage): void {
    if (!isJSONRPCNotification(message)) {
      this.exchanges.answer(sender.principal, 'id' in message ? message.id : undefined, message);
      return;
    }
    if (message.method !== 'notifications/cancelled') return;
    const { requestId }: Readonly<Record<string, unknown>> = Object(message.params);
    if (typeof requestId === 'string' || typeof requestId === 'number')
      this.exchanges.cancel(sender, requestId, message);
  }
}

/** The server of a transport. Taken before it starts, so that the transport mounts no route of its own. */
export const serverOf = ({ httpHandlers, callTool }: HttpTransport, rules: CallerRules): ProjectServer => ({
  handler: httpHandlers,
  callTool,
  rules,
});
