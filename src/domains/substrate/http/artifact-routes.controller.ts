import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { All, Controller, Get, HttpException, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallFailure } from '../../../core/call.js';
import { BearerGuard } from '../../../mcp/http/bearer.guard.js';
import { NamesGuard } from '../../../mcp/http/names.guard.js';
import { TokenScopes } from '../../../mcp/http/oauth/token-scopes.js';
import { ProjectServers, type ToolCallParams } from '../../../mcp/http/project-servers.js';
import { rpcFailure, SERVER_ERROR } from '../../../mcp/http/rpc-failure.js';
import { TOOL_PATHS } from '../../../mcp/http/tool-paths.js';
import { RUN_FIELD } from '../../../mcp/pipeline/named-run.js';
import { beginStreamed, type StreamedCall } from '../../../mcp/pipeline/streamed-calls.js';
import { principalOf } from '../../../mcp/principals.js';
import { getArtifactTool } from '../tools/get-artifact.tool.js';
import { uploadArtifactTool } from '../tools/upload-artifact.tool.js';
import { failureResponse, retryAfter } from './failure-response.js';
import { replyContent } from './reply-content.js';
import { sentContent } from './sent-content.js';

/** Types of forms: multipart adds framing to the bytes, and curl sends urlencoded by default. */
const FORM = /^(?:multipart\/|application\/x-www-form-urlencoded)/i;

/** The headers of a request that are arguments of the call. */
function argumentsOf(request: Request): Record<string, string> {
  const [mediaType, sha256] = [request.get('content-type'), request.get('x-content-sha256')];
  return {
    ...(mediaType === undefined ? {} : { media_type: mediaType }),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}

/** @throws HttpException with status 415 */
function checkForm(request: Request): void {
  if ((request.get('content-encoding') ?? 'identity') !== 'identity')
    throw rpcFailure(415, SERVER_ERROR, 'Send the bytes as they are, without Content-Encoding.');
  if (FORM.test(request.get('content-type') ?? ''))
    throw rpcFailure(415, SERVER_ERROR, 'Send the bytes as the body, with their own Content-Type.');
}

/** Uploads and downloads of artifacts as bodies. Each is a call of a tool, with everything that is checked for it. */
@Controller(TOOL_PATHS.artifacts)
@UseGuards(BearerGuard, NamesGuard)
export class ArtifactRoutesController {
  constructor(
    private readonly servers: ProjectServers,
    private readonly scopes: TokenScopes,
  ) {}

  @Post()
  async upload(@Req() request: Request, @Res() response: Response): Promise<void> {
    checkForm(request);
    const streamed = { sent: sentContent(request), send: null, output: null, failure: null };
    const params = { name: uploadArtifactTool.name, arguments: argumentsOf(request), _meta: runOf(request) };
    if (await this.call(request, response, { streamed, params })) response.status(200).json(streamed.output);
  }

  @Get(':sha256')
  async download(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (request.method !== 'GET') this.refuseOther(response);
    const { send, finish } = replyContent(response);
    const { sha256 } = request.params;
    const streamed = { sent: null, send, output: null, failure: null };
    const params = { name: getArtifactTool.name, arguments: { sha256 }, _meta: runOf(request) };
    if (await this.call(request, response, { streamed, params })) finish();
  }

  @All()
  refuse(@Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'POST');
    throw rpcFailure(405, SERVER_ERROR, 'Method not allowed. Store a document with POST.');
  }

  @All(':sha256')
  refuseOther(@Res({ passthrough: true }) response: Response): never {
    response.setHeader('Allow', 'GET');
    throw rpcFailure(405, SERVER_ERROR, 'Method not allowed. Read a document with GET.');
  }

  /** @returns false if there is nobody to answer @throws HttpException if the call fails */
  private async call(
    request: Request,
    response: Response,
    { streamed, params }: { readonly streamed: StreamedCall; readonly params: ToolCallParams },
  ): Promise<boolean> {
    const { callTool, rules } = this.servers.of(principalOf(request));
    request.body = { method: 'tools/call', params };
    this.scopes.check(request, response, rules);
    beginStreamed(request, streamed);
    const answer = await callTool(request, params);
    if (answer === null) return false;
    const { failure } = streamed;
    // The reply has begun: only its end can say that it is not complete.
    if (failure && response.headersSent) response.destroy();
    if (response.destroyed) return false;
    const seconds = failure && retryAfter(failure);
    if (typeof seconds === 'number') response.setHeader('Retry-After', seconds);
    if (failure) throw asException(failure);
    if ('error' in answer) throw refused(answer.error.code, params.name);
    return true;
  }
}

/** A call that was refused before the tool: it is not offered to the caller, or is turned off. */
function refused(code: number, tool: string): HttpException {
  if (code === ProtocolErrorCode.InvalidParams)
    return rpcFailure(404, SERVER_ERROR, `You are not offered ${tool}.`);
  return rpcFailure(500, SERVER_ERROR, 'The call failed. Try again; the log of the server says why.');
}

function asException(failure: CallFailure): HttpException {
  const { status, body } = failureResponse(failure);
  return new HttpException(body, status);
}

/** The run that an upload or download belongs to. */
function runOf(request: Request): Readonly<Record<string, unknown>> {
  const run = request.get('pith-run-id');
  return run === undefined ? {} : { [RUN_FIELD]: run };
}
