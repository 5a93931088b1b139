import { secondsLeft } from '../../../../src/cli/running/background-index.js';

describe('secondsLeft', () => {
  it.each([
    { done: 0, total: 100, elapsedMs: 1_000, seconds: 5 },
    { done: 100, total: 100, elapsedMs: 1_000, seconds: 1 },
    { done: 50, total: 100, elapsedMs: 3_000, seconds: 3 },
    { done: 1, total: 100_000, elapsedMs: 1_000, seconds: 10 },
  ])('estimates $seconds s after $done of $total in $elapsedMs ms', ({ done, total, elapsedMs, seconds }) => {
    expect(secondsLeft({ done, total }, elapsedMs)).toBe(seconds);
  });
});
