import { LimitsConfig } from '../../../../src/config/settings/limits.config.js';
import type { Allowance } from '../../../../src/core/call.js';
import { CallerLimits } from '../../../../src/mcp/pipeline/caller-limits.js';
import { aCall } from '../../../support/builders.js';

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

  it('counts the calls of those who share a principal apart, if their allowance says so', () => {
    const caller = limits({ maxConcurrentCalls: 1 });
    const admit = (countedAs: string) =>
      caller.admit(aCall({ caller: { allowance: { countedAs } } }).caller, 0);
    admit('visitor 10.0.0.1');
    expect(() => admit('visitor 10.0.0.2')).not.toThrow();
    expect(() => admit('visitor 10.0.0.1')).toThrow(/already has 1 calls/);
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

  describe('with the allowance of a principal', () => {
    const DAY = 86_400_000;
    const callerWith = (allowance: Allowance, principal = 'a') =>
      aCall({ caller: { principal, allowance } }).caller;

    it('admits more or fewer calls than the settings', () => {
      const caller = limits({ ratePerMinute: 2, maxConcurrentCalls: 2 });
      const few = callerWith({ callsPerMinute: 1, concurrentCalls: 9 });
      const many = callerWith({ callsPerMinute: 0, concurrentCalls: 4 }, 'b');
      caller.admit(few, 0);
      expect(() => caller.admit(few, 0)).toThrow(rateLimited(60));
      for (let i = 0; i < 4; i++) caller.admit(many, 0);
      expect(() => caller.admit(many, 0)).toThrow(expect.objectContaining({ reason: 'concurrency' }));
    });

    it('refuses calls when the bytes of the day have been sent, until the next day', () => {
      const caller = limits({});
      const small = callerWith({ bytesPerDay: 100 });
      caller.admit(small, DAY - 5_000)(() => 99);
      caller.admit(small, DAY - 5_000)(() => 500);
      expect(() => caller.admit(small, DAY - 5_000)).toThrow(
        expect.objectContaining({ code: 'BUDGET_EXCEEDED', reason: 'quota', details: { retry_after_s: 5 } }),
      );
      expect(() => caller.admit(callerWith({ bytesPerDay: 100 }, 'b'), DAY - 5_000)).not.toThrow();
      caller.admit(small, DAY)(() => 99);
      expect(() => caller.admit(small, DAY)).not.toThrow();
    });

    it('keeps the count of a day when a call of the day before ends later', () => {
      const caller = limits({});
      const small = callerWith({ bytesPerDay: 100 });
      const leaveLate = caller.admit(small, DAY - 1);
      caller.admit(small, DAY)(() => 99);
      leaveLate(() => 1);
      expect(() => caller.admit(small, DAY)).toThrow(expect.objectContaining({ reason: 'quota' }));
    });

    it('does not measure results without a limit of bytes', () => {
      const measure = jest.fn();
      limits({}).admit(callerWith({}), 0)(measure);
      expect(measure).not.toHaveBeenCalled();
    });
  });
});
