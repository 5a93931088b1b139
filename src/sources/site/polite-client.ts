import { setTimeout as wait } from 'node:timers/promises';
import { steadyNow } from '../../core/turns/clock.js';
import type { SiteLimits } from './site-limits.js';
import { type WebAnswer, type WebClient, WebFailure, type WebRequest } from './web-client.js';

export interface PoliteParts {
  readonly client: WebClient;
  readonly limits: SiteLimits;
  readonly signal: AbortSignal;
  /** Waits (ms). Default: a timer. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds. Default: the steady clock. */
  readonly now?: () => number;
}

/** Waits before the next try if a busy site does not say how long (ms); doubles with each try. */
const FIRST_WAIT_MS = 1_000;
const BUSY = [429, 503];

/** Sends requests as slowly as the site asks for, and again if it is busy. */
export class PoliteClient {
  private delayMs = 0;
  /** The earliest time of the next request. */
  private nextAt = 0;

  constructor(private readonly parts: PoliteParts) {}

  /** @param ms  between the starts of two requests; the limit of delays holds */
  setDelay(ms: number): void {
    this.delayMs = Math.min(ms, this.parts.limits.maxCrawlDelayMs);
    this.nextAt = this.now() + this.delayMs;
  }

  /** True if requests wait for each other. */
  get isDelayed(): boolean {
    return this.delayMs > 0;
  }

  /** @throws WebFailure; RefusedAddressError; the reason of the signal if it is aborted */
  async get(request: WebRequest): Promise<WebAnswer> {
    for (let tries = 1; ; tries++) {
      await this.takeTurn();
      const answer = await this.parts.client.get(request);
      if (!BUSY.includes(answer.status)) return answer;
      if (tries >= this.parts.limits.maxTries) throw new WebFailure(`the site is busy (${answer.status})`);
      this.waitFor(answer, tries);
    }
  }

  private waitFor({ headers, status }: WebAnswer, tries: number): void {
    const afterMs = retryAfterMs(headers['retry-after'] ?? '', headers.date ?? '');
    if (afterMs !== null && afterMs > this.parts.limits.maxRetryAfterMs) {
      throw new WebFailure(`the site is busy (${status}) and asks to wait ${Math.round(afterMs / 1_000)} s`);
    }
    const waitMs = afterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    this.nextAt = Math.max(this.nextAt, this.now() + waitMs);
  }

  private async takeTurn(): Promise<void> {
    const { signal, pause = defaultPause } = this.parts;
    for (;;) {
      signal.throwIfAborted();
      const now = this.now();
      if (now >= this.nextAt) {
        this.nextAt = now + this.delayMs;
        return;
      }
      await pause(this.nextAt - now, signal);
    }
  }

  private now(): number {
    return (this.parts.now ?? steadyNow)();
  }
}

const defaultPause = (ms: number, signal: AbortSignal): Promise<unknown> => wait(ms, undefined, { signal });

/** @param date  the time of the server, which its clock may have wrong */
function retryAfterMs(header: string, date: string): number | null {
  if (/^\s*\d{1,9}\s*$/.test(header)) return 1_000 * Number(header);
  const waitMs = Date.parse(header) - Date.parse(date);
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
