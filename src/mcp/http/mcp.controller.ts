import { All, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HttpConfig } from '../../config/settings/http.config.js';
import { principalOf } from '../principals.js';
import { BearerGuard } from './bearer.guard.js';
import { NamesGuard } from './names.guard.js';
import { TokenScopes } from './oauth/token-scopes.js';
import { ProjectServers } from './project-servers.js';
import { readBody } from './read-body.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';
import { TOOL_PATHS } from './tool-paths.js';

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
