import fc from 'fast-check';
import { BestRows } from '../../../../src/engines/sqlite/best-rows.js';

describe('BestRows', () => {
  it('keeps the rows that sorting would put first, ties by row, in whatever order they come', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
    fc.assert(
      fc.property(scores, fc.nat(10), fc.boolean(), (all, limit, isReversed) => {
        const best = new BestRows(limit);
        const rows = all.map((score, row) => ({ row, score }));
        for (const { row, score } of isReversed ? rows.toReversed() : rows) best.offer(row, score);
        const sorted = rows.toSorted((a, b) => b.score - a.score);
        expect(best.list()).toEqual(sorted.slice(0, limit));
      }),
    );
  });
});
