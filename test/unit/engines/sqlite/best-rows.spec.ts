import fc from 'fast-check';
import { BestRows } from '../../../../src/engines/sqlite/best-rows.js';

describe('BestRows', () => {
  it('keeps the rows that sorting would put first, ties in the order of arrival', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(scores, fc.nat(10), (all, limit) => {
        const best = new BestRows(limit);
        all.forEach((score, row) => best.offer(row, score));
        const sorted = all.map((score, row) => ({ row, score })).sort((a, b) => b.score - a.score);
        expect(best.list()).toEqual(sorted.slice(0, limit));
      }),
    );
  });
});
