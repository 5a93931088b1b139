import { once } from 'node:events';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { All, Controller, Get, HttpException, Module, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { CallFailure } from '../../core/call.js';
import { unlessAborted } from '../../core/call-signal.js';
import { type ErrorCode, InvalidArgumentError } from '../../core/errors.js';
import {
  beginStreamed,
  type ContentFacts,
  type SendContent,
  type SentContent,
  type StreamedCall,
} from '../../mcp/calls.js';
import { BearerGuard } from '../../mcp/http/bearer.guard.js';
import { NamesGuard } from '../../mcp/http/names.guard.js';
import { TokenScopes } from '../../mcp/http/oauth/token-scopes.js';
import { ProjectServers, type ToolCallParams } from '../../mcp/http/project-servers.js';
import { rpcFailure, SERVER_ERROR } from '../../mcp/http/rpc-failure.js';
import { TOOL_PATHS } from '../../mcp/http/tool-paths.js';
import { RUN_FIELD } from '../../mcp/pipeline/observed-call.js';
import { principalOf } from '../../mcp/principals.js';
import { getArtifactTool, uploadArtifactTool } from './artifacts/artifact.tools.js';

function bodyIncomplete(): InvalidArgumentError {
  return new InvalidArgumentError('The body has ended early. Nothing was stored.', {
    reason: 'body_incomplete',
    hint: 'Send it again.',
  });
}

/** The bytes of a body. What is not read stays in the connection, so that the reply can still be sent. */
async function* bodyParts(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, parts.next());
      if (done) return;
      yield value;
    }
  } catch {
    signal.throwIfAborted();
    throw bodyIncomplete();
  } finally {
    parts.return?.().catch(() => undefined);
  }
}

/** The body of a request, as the content of a call. */
export function sentContent(request: Request): SentContent {
  const length = request.get('content-length');
  return {
    declaredBytes: length === undefined ? null : Number(length),
    read: (signal) => bodyParts(request, signal),
  };
}

/** Anybody who may upload has written the bytes: no browser may run them, or guess another type. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
};

function headersOf({ sha256, sizeBytes, mediaType }: ContentFacts): Record<string, string> {
  return {
    ...SAFE,
    'Content-Type': mediaType,
    'Content-Length': String(sizeBytes),
    'Content-Disposition': `attachment; filename="${sha256}"`,
    ETag: `"${sha256}"`,
  };
}

/** The content of a reply. */
export interface ReplyContent {
  /** Sends all but the last part, as fast as the reader takes them. */
  readonly send: SendContent;
  /** Sends the last part, when the call has ended well. */
  readonly finish: () => void;
}

/** Sends bytes in a reply. The last part is held back until the call is recorded. */
export function replyContent(response: Response): ReplyContent {
  let head: Readonly<Record<string, string>> = {};
  let held: Uint8Array = new Uint8Array();
  // A connection that breaks is noticed by the signal of the call.
  response.on('error', () => undefined);
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, head);
  };
  const write = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    begin();
    if (!response.write(held)) await once(response, 'drain', { signal }).catch(() => signal.throwIfAborted());
  };
  return {
    send: async (facts, parts, signal) => {
      head = headersOf(facts);
      for await (const part of parts) {
        if (held.length > 0) await write(signal);
        held = part;
      }
    },
    finish: () => {
      begin();
      response.end(held);
    },
  };
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  SCOPE_VIOLATION: 403,
  BUDGET_EXCEEDED: 429,
  TIMEOUT: 504,
  BACKEND_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

const STATUS_OF_REASON: ReadonlyMap<string, number> = new Map([
  ['artifact_not_found', 404],
  ['feature_disabled', 404],
  ['artifact_too_large', 413],
  ['substrate_full', 507],
]);

/** Seconds after which the same request may succeed; undefined if it is not known. */
export function retryAfter({ details }: CallFailure): number | undefined {
  const seconds = details?.['retry_after_s'];
  return typeof seconds === 'number' ? seconds : undefined;
}

/** An HTTP response to a failed call. */
interface FailureResponse {
  readonly status: number;
  /** The error as the tool returns it. */
  readonly body: object;
}

/** The error of a call as an HTTP response. */
export function failureResponse({
  code,
  reason,
  message,
  details = { reason },
}: CallFailure): FailureResponse {
  const status = STATUS_OF_REASON.get(reason) ?? STATUS[code];
  return { status, body: { error: { code, message, details } } };
}

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
class ArtifactRoutesController {
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

/** The HTTP routes of stored documents. */
@Module({ controllers: [ArtifactRoutesController] })
export class ArtifactRoutesModule {}
