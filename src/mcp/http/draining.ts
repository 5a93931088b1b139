import { type Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import onHeaders from 'on-headers';
import { whenOver } from '../transport/when-over.js';

/** After this time without a request, connections are idle and not just slow to be read (ms). */
const QUIET_MS = 100;
const STEP_MS = 20;
/** Longest wait for a moment in which no connection waits to be accepted (ms). */
const ACCEPT_MS = 1_000;
/** While callbacks run, connections come that are accepted in the next turn. In a shorter turn, hardly any comes (ms). */
const SHORT_TURN_MS = 0.2;

/** Ends a server without losing a request that it was sent. */
@Injectable()
export class Draining {
  private isOn = false;
  private open = 0;
  private lastAt = 0;

  /** True from the signal to end. */
  get isDraining(): boolean {
    return this.isOn;
  }

  /**
   * Middleware: counts requests. Replies say that the connection closes if the server ends, and if the body of the
   * request is still being sent, because Node would read it to its end.
   */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    this.open++;
    this.lastAt = performance.now();
    onHeaders(response, () => {
      if (this.isOn || isBodyUnread(request)) response.setHeader('Connection', 'close');
    });
    whenOver(request, response, () => {
      this.open--;
      this.lastAt = performance.now();
    });
    next();
  };

  /**
   * Stops accepting connections and waits for running requests. Node itself would close connections at once whose
   * requests it has not read yet.
   * @param limitMs  longest wait, in milliseconds
   */
  async end(server: HttpServer, limitMs: number): Promise<void> {
    this.isOn = true;
    const until = performance.now() + limitMs;
    await acceptWaiting(server, Math.min(until, performance.now() + ACCEPT_MS));
    // The method of http.Server also closes connections that seem to be idle.
    Server.prototype.close.call(server);
    this.lastAt = performance.now();
    while (performance.now() < until && !this.isQuiet()) await delay(STEP_MS);
  }

  private isQuiet(): boolean {
    return this.open === 0 && performance.now() - this.lastAt >= QUIET_MS;
  }
}

/** True while the body of a request is still being sent. One without a body may be answered before it counts as complete. */
function isBodyUnread({ complete, headers }: Request): boolean {
  return (
    !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  );
}

/**
 * Waits for a short turn of the event loop without a new connection: those that wait to be accepted are reset when the
 * server stops to listen.
 */
async function acceptWaiting(server: HttpServer, until: number): Promise<void> {
  let accepted = 0;
  const count = (): void => void accepted++;
  server.on('connection', count);
  for (let isOver = false; !isOver;) {
    const [before, startedAt] = [accepted, performance.now()];
    await nextTurn();
    const now = performance.now();
    isOver = now >= until || (accepted === before && now - startedAt < SHORT_TURN_MS);
  }
  server.off('connection', count);
}
