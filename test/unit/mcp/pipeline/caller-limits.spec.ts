import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import { CallerLimits } from '../../../../src/mcp/pipeline/caller-limits.js';

const limits = (config: Partial<LimitsConfig>) => new CallerLimits(Object.assign(new LimitsConfig(), config));
const rateLimited = (retry_after_s: number) =>
  expect.objectContaining({ code: 'BUDGET_EXCEEDED', reason: 'rate_limited', details: { retry_after_s } });

describe('CallerLimits', () => {
  it('admits at once as many calls as are allowed per minute', () => {
    const caller = limits({ ratePerMinute: 2 });
    caller.enter('a', 0);
    caller.enter('a', 0);
    expect(() => caller.enter('a', 0)).toThrow(rateLimited(30));
  });

  it('admits calls again after the announced time', () => {
    const caller = limits({ ratePerMinute: 1 });
    caller.enter('a', 0);
    expect(() => caller.enter('a', 45_000)).toThrow(rateLimited(15));
    expect(() => caller.enter('a', 60_000)).not.toThrow();
  });

  it('saves up at most the calls of one minute', () => {
    const caller = limits({ ratePerMinute: 1 });
    caller.enter('a', 0);
    caller.enter('a', 3_600_000);
    expect(() => caller.enter('a', 3_600_000)).toThrow(rateLimited(60));
  });

  it('does not limit the rate if it is 0', () => {
    const caller = limits({ ratePerMinute: 0, maxConcurrentCalls: 3 });
    caller.enter('a', 0)();
    caller.enter('a', 0)();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('admits the allowed number of concurrent calls', () => {
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

  it('admits the next call when one has ended', () => {
    const caller = limits({ maxConcurrentCalls: 1 });
    caller.enter('a', 0)();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('does not count calls against the rate that it refuses for concurrency', () => {
    const caller = limits({ maxConcurrentCalls: 1, ratePerMinute: 2 });
    const end = caller.enter('a', 0);
    expect(() => caller.enter('a', 0)).toThrow(expect.objectContaining({ reason: 'concurrency' }));
    end();
    expect(() => caller.enter('a', 0)).not.toThrow();
  });

  it('limits each caller separately', () => {
    const caller = limits({ ratePerMinute: 1, maxConcurrentCalls: 1 });
    caller.enter('a', 0);
    expect(() => caller.enter('b', 0)).not.toThrow();
  });
});
