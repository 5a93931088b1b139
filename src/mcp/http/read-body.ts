import { isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { raw, type Request, type Response } from 'express';
import { z } from 'zod';
import { hasBatches, readMessage } from '../transport/read-message.js';
import { refusedMessage, rpcFailure } from './rpc-failure.js';

const MAX_VERSION = 64;
/** The version that the protocol assumes for requests without the header. */
const DEFAULT_VERSION = '2025-03-26';

const failureSchema = z.object({ status: z.int().min(400).max(499), type: z.string().default('') });

const MESSAGES: Readonly<Record<string, string>> = {
  'entity.too.large': 'The body is too large: see PITH_HTTP_BODY_BYTES.',
  'encoding.unsupported': 'The Content-Encoding is not supported.',
};

function bytesOf(request: Request, response: Response, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    raw({ limit, type: () => true })(request, response, (error: unknown) => {
      if (error === undefined) return resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      const failure = failureSchema.safeParse(error).data;
      if (!failure) return reject(error instanceof Error ? error : new Error(String(error)));
      const message = MESSAGES[failure.type] ?? 'The body could not be read.';
      reject(rpcFailure(failure.status, ProtocolErrorCode.InvalidRequest, message));
    });
  });
}

/** @param limit  of the body, in bytes @throws HttpException with a JSON-RPC error as its body */
export async function readBody(request: Request, response: Response, limit: number): Promise<unknown> {
  const version = request.get('mcp-protocol-version') ?? DEFAULT_VERSION;
  if (version.length > MAX_VERSION)
    throw rpcFailure(400, ProtocolErrorCode.InvalidRequest, 'The MCP-Protocol-Version header is too long.');
  if (!isJsonContentType(request.get('content-type') ?? null))
    throw rpcFailure(415, ProtocolErrorCode.InvalidRequest, 'The Content-Type must be application/json.');
  const read = readMessage(await bytesOf(request, response, limit), hasBatches(version));
  if ('refusal' in read) throw refusedMessage(read.refusal);
  const [message] = read.messages;
  if (!message)
    throw rpcFailure(400, ProtocolErrorCode.InvalidRequest, 'Invalid request: the body is empty.');
  return read.isBatch ? read.messages : message;
}
