import { shareFrequency, termShare } from '../../../../src/kb/search/bm25.js';

describe('shareFrequency', () => {
  it.each([0, 1, 2, 7, 40, 900])('computes the frequency %d from a share of four bytes', (frequency) => {
    const share = Math.fround(termShare(frequency, 312, 130));
    expect(shareFrequency(share, 312, 130)).toBe(frequency);
  });

  it('computes it if no section has a length', () => {
    expect(shareFrequency(termShare(3, 0, 0), 0, 0)).toBe(3);
  });
});
