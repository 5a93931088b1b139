import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import type { Caller } from '../../core/call.js';
import { BudgetExceededError } from '../../core/errors.js';

interface Usage {
  /** Calls allowed at time `at`; refilled over time. */
  tokens: number;
  at: number;
  running: number;
}

/** The calls that one user may make. */
export interface RateTerms {
  /** 0 for no limit. */
  readonly ratePerMinute: number;
  readonly maxConcurrentCalls: number;
}

const MINUTE_MS = 60_000;
/** Number of users kept in memory; above it, idle ones are removed. */
const MAX_USERS = 10_000;

export function exceeded(
  reason: 'rate_limited' | 'concurrency' | 'quota',
  message: string,
  retryAfterS: number,
): BudgetExceededError {
  return new BudgetExceededError(message, {
    reason,
    hint: `Wait ${retryAfterS} s, then call again.`,
    details: { retry_after_s: retryAfterS },
  });
}

/** A token bucket and a count of running calls for each user. */
export class RateLimits {
  private readonly users = new Map<string, Usage>();

  /** @param subject  the user in messages, such as `This caller` */
  constructor(
    private readonly terms: RateTerms,
    private readonly subject: string,
  ) {}

  /** Admits a call. @param terms  of this user, if it has its own @returns invoke once, when the call has ended @throws BudgetExceededError with `retry_after_s` */
  enter(user: string, now: number, terms = this.terms): () => void {
    const { ratePerMinute, maxConcurrentCalls } = terms;
    const usage = this.usageOf(user, now, ratePerMinute);
    if (usage.running >= maxConcurrentCalls) {
      throw exceeded(
        'concurrency',
        `${this.subject} already has ${maxConcurrentCalls} calls in progress.`,
        1,
      );
    }
    if (ratePerMinute > 0) this.takeToken(usage, ratePerMinute);
    usage.running++;
    return () => void usage.running--;
  }

  private usageOf(user: string, now: number, ratePerMinute: number): Usage {
    const usage = this.users.get(user) ?? { tokens: ratePerMinute, at: now, running: 0 };
    usage.tokens = Math.min(ratePerMinute, usage.tokens + ((now - usage.at) * ratePerMinute) / MINUTE_MS);
    usage.at = now;
    if (this.users.size >= MAX_USERS) this.forgetIdle();
    this.users.set(user, usage);
    return usage;
  }

  private takeToken(usage: Usage, ratePerMinute: number): void {
    if (usage.tokens < 1) {
      const waitMs = ((1 - usage.tokens) * MINUTE_MS) / ratePerMinute;
      const message = `${this.subject} has more than ${ratePerMinute} calls a minute.`;
      throw exceeded('rate_limited', message, Math.ceil(waitMs / 1000));
    }
    usage.tokens--;
  }

  private forgetIdle(): void {
    for (const [user, { running }] of this.users) if (running === 0) this.users.delete(user);
  }
}

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
    const { countedAs = principal, callsPerMinute, concurrentCalls, bytesPerDay } = allowance;
    if (bytesPerDay !== undefined && this.bytesOf(principal, dayOf(now)) >= bytesPerDay) {
      const message = `This caller has received its ${bytesPerDay} bytes of today (UTC).`;
      throw exceeded('quota', message, Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000));
    }
    const leave = this.enter(countedAs, now, {
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
