import { isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Request } from 'express';
import { hasBatches, readMessage } from '../transport/read-message.js';
import { bodyBytes, UnreadableBody } from './body-bytes.js';
import { refusedMessage, rpcFailure } from './rpc-failure.js';

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
export async function readBody(request: Request, limit: number): Promise<unknown> {
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
