import fc from 'fast-check';
import { BestRows } from '../../../src/sqlite/best-rows.js';

describe('BestRows', () => {
  it('keeps the rows that sorting would put first, ties by row, in whatever order they are offered', () => {
    const rows = fc
      .array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 })
      .map((scores) => scores.map((score, row) => ({ row, score })));
    const offered = rows.chain((all) => fc.shuffledSubarray(all));
    fc.assert(
      fc.property(offered, fc.nat(10), (all, limit) => {
        const best = new BestRows(limit);
        for (const { row, score } of all) best.offer(row, score);
        const sorted = [...all].sort((a, b) => b.score - a.score || a.row - b.row);
        expect(best.list()).toEqual(sorted.slice(0, limit));
      }),
    );
  });

  it('orders equal scores by place, if rows have one', () => {
    const best = new BestRows(2);
    for (const [place, row] of [30, 10, 20].entries()) best.offer(row, 1, place);
    expect(best.list().map(({ row }) => row)).toEqual([30, 10]);
  });
});
