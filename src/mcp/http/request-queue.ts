import type { NextFunction, Request, Response } from 'express';
import { stepsAreHeld, stepsWait } from '../../core/turns/clock.js';
import { FairQueue } from '../../core/turns/fair-queue.js';
import { hasLeft } from '../transport/response-end.js';
import { rpcFailure, SERVER_ERROR } from './rpc-failure.js';

/** Number of requests that may wait. */
const MAX_WAITING = 1_000;
/**
 * While new requests keep arriving, one is started after this time (ms). A call takes 5 to 10 ms of the main thread; with
 * 10, starting calls took most of the time, and connections waited more than a second to be accepted.
 */
const PATIENCE_MS = 50;

interface Waiting {
  readonly request: Request;
  readonly response: Response;
  readonly start: NextFunction;
}

/**
 * Starts requests one by one, in quiet turns of the event loop: no request or connection arrives, and no running call
 * waits for its next step. Node accepts one connection in each turn, so a health check would otherwise wait for the work
 * of every request whose connection came earlier. Callers take turns too. A request whose sender has left is forgotten.
 */
export class RequestQueue {
  private readonly waiting = new FairQueue<Waiting>();
  private hasArrived = false;
  private startedAt = 0;

  /** @param callerOf  names the caller of a request @param now  a clock, in milliseconds */
  constructor(
    private readonly callerOf: (request: Request) => string,
    private readonly now: () => number,
  ) {}

  /** Something has arrived that may be urgent. */
  readonly arrive = (): void => {
    this.hasArrived = true;
  };

  /** Middleware. */
  readonly wait = (request: Request, response: Response, start: NextFunction): void => {
    this.arrive();
    if (this.waiting.size === 0) setImmediate(() => this.turn());
    this.waiting.add(this.callerOf(request), { request, response, start });
    if (this.waiting.size > MAX_WAITING) this.refuseOne();
  };

  /** Refuses the last request of the caller with the most, so that nobody fills the places of the others. */
  private refuseOne(): void {
    const last = this.waiting.takeLastOfLongest();
    last?.response.setHeader('Retry-After', '1');
    last?.start(rpcFailure(503, SERVER_ERROR, `${MAX_WAITING} requests are waiting. Try again in 1 s.`));
  }

  private turn(): void {
    const isLate = this.now() - this.startedAt >= PATIENCE_MS;
    const mayStart = isLate || !(this.hasArrived || stepsWait());
    this.hasArrived = false;
    if (mayStart && !stepsAreHeld()) this.startNext();
    if (this.waiting.size > 0) setImmediate(() => this.turn());
  }

  private startNext(): void {
    for (let next = this.waiting.take(); next; next = this.waiting.take()) {
      if (hasLeft(next.request)) continue;
      this.startedAt = this.now();
      return next.start();
    }
  }
}
