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
