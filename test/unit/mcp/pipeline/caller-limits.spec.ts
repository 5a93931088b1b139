import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import { CallerLimits } from '../../../../src/mcp/pipeline/caller-limits.js';

const limits = (config: Partial<LimitsConfig>) => new CallerLimits(Object.assign(new LimitsConfig(), config));
const rateLimited = (retry_after_s: number) =>
  expect.objectContaining({ code: 'BUDGET_EXCEEDED', reason: 'rate_limited', details: { retry_after_s } });

describe('CallerLimits', () => {
  it('admits as many calls at once as are allowed in a minute', () => {
    const caller = limits({ ratePerMinute: 2 });
    caller.enter('a', 0);
    caller.enter('a', 0);
    expect(() => caller.enter('a', 0)).toThrow(rateLimited(30));
  });

  it('admits again when as much time has passed as it said', () => {
    const caller = limits({ ratePerMinute: 1 });
    caller.enter('a', 0);
    expect(() => caller.enter('a', 45_000)).toThrow(rateLimited(15));
    expect(() => caller.enter('a', 60_000)).not.toThrow();
  });

  it('saves up no more than a minute', () => {
    const caller = limits({ ratePerMinute: 1 });
    caller.enter('a', 0);
    caller.enter('a', 3_600_000);
    expect(() => caller.enter('a', 3_600_000)).toThrow(rateLimited(60));
  });

  it('holds nobody to a rate of 0', () => {
    const caller = limits({ ratePerMinute: 0, maxConcurrentCalls: 3 });
    caller.enter('a', 0)();
    caller.enter('a', 0)();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('admits so many calls under way and no more', () => {
    const caller = limits({ maxConcurrentCalls: 2 });
    caller.enter('a', 0);
    caller.enter('a', 0);
    expect(() => caller.enter('a', 0)).toThrow(
      expect.objectContaining({
        code: 'BUDGET_EXCEEDED',
        reason: 'concurrency',
        details: { retry_after_s: 1 },
      }),
    );
  });

  it('admits the next when one has ended', () => {
    const caller = limits({ maxConcurrentCalls: 1 });
    caller.enter('a', 0)();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('takes no call off the rate that it does not admit for concurrency', () => {
    const caller = limits({ maxConcurrentCalls: 1, ratePerMinute: 2 });
    const end = caller.enter('a', 0);
    expect(() => caller.enter('a', 0)).toThrow(expect.objectContaining({ reason: 'concurrency' }));
    end();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('holds every caller to limits of its own', () => {
    const caller = limits({ ratePerMinute: 1, maxConcurrentCalls: 1 });
    caller.enter('a', 0);
    expect(() => caller.enter('b', 0)).not.toThrow();
  });
});
