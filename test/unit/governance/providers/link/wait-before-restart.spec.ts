import { waitBeforeRestart } from '../../../../../src/governance/providers/link/kept-connection.js';

describe('waitBeforeRestart', () => {
  it('doubles up to a minute, and takes between half and all of it', () => {
    expect([1, 2, 3, 8, 1_000].map((failures) => waitBeforeRestart(failures, 0))).toEqual([
      250, 500, 1_000, 30_000, 30_000,
    ]);
    expect(waitBeforeRestart(1, 0.999)).toBe(500);
    expect(waitBeforeRestart(1_000, 0.999)).toBe(59_970);
  });
});
