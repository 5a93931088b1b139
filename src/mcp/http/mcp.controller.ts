import { isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { All, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { principalOf } from '../principals.js';
import { hasBatches, readMessage } from '../transport/read-message.js';
import { BearerGuard } from './bearer.guard.js';
import { bodyBytes, UnreadableBody } from './body-bytes.js';
import { NamesGuard } from './names.guard.js';
import { TokenScopes } from './oauth/token-scopes.js';
import { ProjectServers } from './project-servers.js';
import { refusedMessage, rpcFailure, SERVER_ERROR } from './rpc-failure.js';
import { TOOL_PATHS } from './tool-paths.js';

const MAX_VERSION = 64;
/** The version that the protocol assumes for requests without the header. */
const DEFAULT_VERSION = '2025-03-26';

async function bytesOf(request: Request, limit: number): Promise<Buffer> {
  try {
    return await bodyBytes(request, limit);
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error;
    throw rpcFailure(error.status, ProtocolErrorCode.InvalidRequest, error.message);
  }
}

/** @param limit  of the body, in bytes @throws HttpException with a JSON-RPC error as its body */
async function readBody(request: Request, limit: number): Promise<unknown> {
  const version = request.get('mcp-protocol-version') ?? DEFAULT_VERSION;
  if (version.length > MAX_VERSION)
    throw rpcFailure(400, ProtocolErrorCode.InvalidRequest, 'The MCP-Protocol-Version header is too long.');
  if (!isJsonContentType(request.get('content-type') ?? null))
    throw rpcFailure(415, ProtocolErrorCode.InvalidRequest, 'The Content-Type must be application/json.');
  const read = readMessage(await bytesOf(request, limit), hasBatches(version));
  if ('refusal' in read) throw refusedMessage(read.refusal);
  const [message] = read.messages;
  if (!message)
    throw rpcFailure(400, ProtocolErrorCode.InvalidRequest, 'Invalid request: the body is empty.');
  return read.isBatch ? read.messages : message;
}

/** The MCP endpoint. It is stateless, so GET and DELETE are refused. */
@Controller(TOOL_PATHS.mcp)
@UseGuards(BearerGuard, NamesGuard)
export class McpHttpController {
  constructor(
    private readonly servers: ProjectServers,
    private readonly config: HttpConfig,
    private readonly scopes: TokenScopes,
  ) {}

  @Post()
  async post(@Req() request: Request, @Res() response: Response): Promise<void> {
    request.body = await readBody(request, this.config.bodyBytes);
    const { handler, rules } = this.servers.of(principalOf(request));
    this.scopes.check(request, response, rules);
    await handler.handlePost(request, response);
  }

  @All()
  refuse(@Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'POST');
    throw rpcFailure(405, SERVER_ERROR, 'Method not allowed. Send messages with POST.');
  }
}
