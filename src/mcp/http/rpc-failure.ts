import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { HttpException } from '@nestjs/common';
import { type MessageRefusal, refusal } from '../transport/read-message.js';

/** The JSON-RPC code for implementation-defined server errors. */
export const SERVER_ERROR = -32_000;

/** An HTTP failure whose body is a JSON-RPC error, which clients show to their users. */
export function rpcFailure(status: number, code: number, message: string): HttpException {
  return new HttpException(refusal(code, message), status);
}

/** The HTTP failure for a refused message. Invalid parameters get status 200, like any answered request. */
export function refusedMessage(reply: MessageRefusal): HttpException {
  const { code } = reply.error;
  const isRequest = code === ProtocolErrorCode.InvalidParams || code === ProtocolErrorCode.MethodNotFound;
  return new HttpException(reply, isRequest ? 200 : 400);
}
