import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/settings/limits.config.js';
import { BudgetExceededError } from '../../core/errors.js';

interface Usage {
  /** Calls allowed at time `at`; refilled over time. */
  tokens: number;
  at: number;
  running: number;
}

const MINUTE_MS = 60_000;
/** Number of callers kept in memory; above it, idle ones are removed. */
const MAX_CALLERS = 10_000;

function exceeded(
  reason: 'rate_limited' | 'concurrency',
  message: string,
  retryAfterS: number,
): BudgetExceededError {
  return new BudgetExceededError(message, {
    reason,
    hint: `Wait ${retryAfterS} s, then call again.`,
    details: { retry_after_s: retryAfterS },
  });
}

/** A token bucket and a count of running calls for each caller. */
@Injectable()
export class CallerLimits {
  private readonly callers = new Map<string, Usage>();

  constructor(private readonly config: LimitsConfig) {}

  /** Admits a call. @returns invoke once, when the call has ended @throws BudgetExceededError with `retry_after_s` */
  enter(principal: string, now: number): () => void {
    const usage = this.usageOf(principal, now);
    const { ratePerMinute, maxConcurrentCalls } = this.config;
    if (usage.running >= maxConcurrentCalls) {
      throw exceeded('concurrency', `This caller already has ${maxConcurrentCalls} calls in progress.`, 1);
    }
    if (ratePerMinute > 0) this.takeToken(usage, ratePerMinute);
    usage.running++;
    return () => void usage.running--;
  }

  private usageOf(principal: string, now: number): Usage {
    const { ratePerMinute } = this.config;
    const usage = this.callers.get(principal) ?? { tokens: ratePerMinute, at: now, running: 0 };
    usage.tokens = Math.min(ratePerMinute, usage.tokens + ((now - usage.at) * ratePerMinute) / MINUTE_MS);
    usage.at = now;
    if (this.callers.size >= MAX_CALLERS) this.forgetIdle();
    this.callers.set(principal, usage);
    return usage;
  }

  private takeToken(usage: Usage, ratePerMinute: number): void {
    if (usage.tokens < 1) {
      const waitMs = ((1 - usage.tokens) * MINUTE_MS) / ratePerMinute;
      const message = `This caller made more than ${ratePerMinute} calls a minute.`;
      throw exceeded('rate_limited', message, Math.ceil(waitMs / 1000));
    }
    usage.tokens--;
  }

  private forgetIdle(): void {
    for (const [principal, { running }] of this.callers) if (running === 0) this.callers.delete(principal);
  }
}
