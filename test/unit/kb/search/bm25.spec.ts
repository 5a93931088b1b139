import { shareFrequency, termShare } from '../../../../src/kb/search/bm25.js';

describe('shareFrequency', () => {
  it.each([0, 1, 2, 7, 40, 900])(
    'restores the frequency %d from a share stored as a 32-bit float',
    (frequency) => {
      const share = Math.fround(termShare(frequency, 312, 130));
      expect(shareFrequency(share, 312, 130)).toBe(frequency);
    },
  );

  it('restores the frequency if all sections have length 0', () => {
    expect(shareFrequency(termShare(3, 0, 0), 0, 0)).toBe(3);
  });
});
