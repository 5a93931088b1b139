import { HttpException } from '@nestjs/common';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Refusal } from '../transport/read-message.js';
import { refusal } from '../transport/read-message.js';

/** The server error of JSON-RPC that the protocol leaves to implementations. */
export const SERVER_ERROR = -32_000;

/** An HTTP failure whose body is a JSON-RPC error, which clients show to their users. */
export function rpcFailure(status: number, code: number, message: string): HttpException {
  return new HttpException(refusal(code, message), status);
}

/** The same for a message that was read. A request with wrong parameters is answered like any other request. */
export function refusedMessage(reply: Refusal): HttpException {
  const { code } = reply.error;
  const isRequest = code === ProtocolErrorCode.InvalidParams || code === ProtocolErrorCode.MethodNotFound;
  return new HttpException(reply, isRequest ? 200 : 400);
}
