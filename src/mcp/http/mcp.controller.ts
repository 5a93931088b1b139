import { All, Controller, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { MCP_HTTP_HANDLER, type McpHttpHandler } from '@rekog/mcp-nest';
import type { Request, Response } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { BearerGuard } from './bearer.guard.js';
import { NamesGuard } from './names.guard.js';
import { TokenScopes } from './oauth/token-scopes.js';
import { readBody } from './read-body.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';

/** The MCP endpoint. It is stateless, so GET and DELETE are refused. */
@Controller('mcp')
@UseGuards(BearerGuard, NamesGuard)
export class McpHttpController {
  constructor(
    @Inject(MCP_HTTP_HANDLER) private readonly handlers: McpHttpHandler,
    private readonly config: HttpConfig,
    private readonly scopes: TokenScopes,
  ) {}

  @Post()
  async post(@Req() request: Request, @Res() response: Response): Promise<void> {
    request.body = await readBody(request, this.config.bodyBytes);
    this.scopes.check(request.body, request, response);
    await this.handlers.handlePost(request, response);
  }

  @All()
  refuse(@Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'POST');
    throw rpcFailure(405, SERVER_ERROR, 'Method not allowed. Send messages with POST.');
  }
}
