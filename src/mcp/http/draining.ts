import { type Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import onHeaders from 'on-headers';
import { holdSteps } from '../../core/turns/clock.js';
import { whenOver } from '../transport/response-end.js';

/** After this time without a request, connections are idle and not just slow to be read (ms). */
const QUIET_MS = 100;
const STEP_MS = 20;
/** Longest time for which calls are held before the server stops listening (ms). */
const HOLD_MS = 1_000;
/** A caller whose connection ended with a reply connects again within this time (ms). */
const RECONNECT_MS = 20;
/** Turns of the event loop after that time. Each accepts a connection, and one may have come in a long turn. */
const QUIET_TURNS = 2;

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
    await this.acceptWaiting(server, Math.min(until, performance.now() + HOLD_MS));
    // The method of http.Server also closes connections that seem to be idle.
    Server.prototype.close.call(server);
    this.lastAt = performance.now();
    while (performance.now() < until && !this.isQuiet()) await delay(STEP_MS);
  }

  /**
   * Holds calls until nobody connects. When the server stops listening, connections that are not accepted yet are reset.
   * While calls are held, nobody gets a reply and connects again, and each turn of the event loop is short.
   */
  private async acceptWaiting(server: HttpServer, until: number): Promise<void> {
    const release = holdSteps();
    let connectedAt = performance.now();
    const onConnection = (): void => void (connectedAt = performance.now());
    server.on('connection', onConnection);
    for (let quietTurns = 0; quietTurns < QUIET_TURNS && performance.now() < until;) {
      await nextTurn();
      const quietMs = performance.now() - Math.max(connectedAt, this.lastAt);
      quietTurns = quietMs < RECONNECT_MS ? 0 : quietTurns + 1;
    }
    server.off('connection', onConnection);
    release();
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
