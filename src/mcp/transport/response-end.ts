import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** True if the sender of a request is closing its connection. It ends its own side first. */
export const hasLeft = ({ socket }: Pick<Request, 'socket'>): boolean => !socket.readable;

/** The functions to call when a connection closes, with one listener for all requests of the connection. */
const calledOnClose = new WeakMap<Socket, Set<() => void>>();

function callsOnClose(socket: Socket): Set<() => void> {
  const known = calledOnClose.get(socket);
  if (known) return known;
  const calls = new Set<() => void>();
  calledOnClose.set(socket, calls);
  socket.once('close', () => {
    for (const call of [...calls]) call();
  });
  return calls;
}

/**
 * Calls a function once, when a response has been sent or its connection has closed. Of pipelined responses, Node tells
 * only the first that the connection has closed.
 */
export function whenOver(request: Pick<Request, 'socket'>, response: Response, done: () => void): void {
  if (request.socket.destroyed) return done();
  const calls = callsOnClose(request.socket);
  const over = (): void => {
    if (calls.delete(over)) done();
  };
  calls.add(over);
  response.once('close', over);
}
