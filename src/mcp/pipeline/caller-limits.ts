import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import type { Caller } from '../../core/call.js';
import { exceeded, RateLimits } from './rate-limits.js';

const DAY_MS = 86_400_000;

/** The bytes of all results for one principal on one day. */
interface Sent {
  readonly day: number;
  readonly bytes: number;
}

const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** The rate, the number of running calls, the bytes per day and the time limit of each caller's calls. */
@Injectable()
export class CallerLimits extends RateLimits {
  readonly callTimeoutMs: number;
  /** By principal, only of those with a limit. */
  private readonly sent = new Map<string, Sent>();

  constructor(private readonly config: LimitsConfig) {
    super(config, 'This caller');
    this.callTimeoutMs = config.callTimeoutMs;
  }

  /**
   * Admits a call. @param now  as `steadyNow`: a day of a clock that steps back would end late @returns invoke once when the call has ended, with a function that measures the bytes of its result
   * @throws BudgetExceededError with `retry_after_s`
   */
  admit({ principal, allowance }: Caller, now: number): (measure: () => number) => void {
    const { callsPerMinute, concurrentCalls, bytesPerDay } = allowance;
    if (bytesPerDay !== undefined && this.bytesOf(principal, dayOf(now)) >= bytesPerDay) {
      const message = `This caller has received its ${bytesPerDay} bytes of today (UTC).`;
      throw exceeded('quota', message, Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000));
    }
    const leave = this.enter(principal, now, {
      ratePerMinute: callsPerMinute ?? this.config.ratePerMinute,
      maxConcurrentCalls: concurrentCalls ?? this.config.maxConcurrentCalls,
    });
    return (measure) => {
      leave();
      if (bytesPerDay === undefined) return;
      // A call that began before midnight may end after calls of the new day.
      const day = Math.max(dayOf(now), this.sent.get(principal)?.day ?? 0);
      this.forgetBefore(day);
      const bytes = this.bytesOf(principal, day) + measure();
      this.sent.set(principal, { day, bytes });
    };
  }

  /** The first entry is the oldest, so a look at it is enough on most calls. */
  private forgetBefore(day: number): void {
    for (const [principal, sent] of this.sent) {
      if (sent.day >= day) return;
      this.sent.delete(principal);
    }
  }

  private bytesOf(principal: string, day: number): number {
    const sent = this.sent.get(principal);
    return sent?.day === day ? sent.bytes : 0;
  }
}
