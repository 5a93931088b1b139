import fc from 'fast-check';
import { allocateSlots } from '../../../../src/memory/recall/pick-rows.js';

describe('allocateSlots', () => {
  it.each<[string, number, number, [number, number], [number, number]]>([
    ['gives six of ten to the graph at 0.6', 10, 0.6, [90, 90], [6, 4]],
    ['rounds to whole slots', 5, 0.5, [90, 90], [3, 2]],
    ['gives thoughts at least one slot', 10, 0.99, [90, 90], [9, 1]],
    ['gives the graph at least one slot', 10, 0.01, [90, 90], [1, 9]],
    ['gives no more slots than top_k', 1, 0.6, [90, 90], [1, 0]],
    ['gives one slot to thoughts at a low mix', 1, 0.4, [90, 90], [0, 1]],
    ['fills missing graph rows with thoughts', 10, 0.6, [2, 90], [2, 8]],
    ['fills missing thoughts with graph rows', 10, 0.6, [90, 1], [9, 1]],
    ['fills all slots from the only source', 10, 0.6, [0, 90], [0, 10]],
    ['gives all available rows if both sources have too few', 10, 0.6, [2, 3], [2, 3]],
    ['gives no slots if there are no rows', 10, 0.6, [0, 0], [0, 0]],
    ['gives only thoughts at 0', 10, 0, [90, 90], [0, 10]],
    ['fills nothing from the graph at 0', 10, 0, [90, 3], [0, 3]],
    ['gives only the graph at 1', 10, 1, [90, 90], [10, 0]],
    ['fills nothing from thoughts at 1', 10, 1, [3, 90], [3, 0]],
    ['gives nothing at 0 if there are no thoughts', 10, 0, [90, 0], [0, 0]],
  ])('%s', (_, topK, mix, [kg, thoughts], [kgSlots, thoughtSlots]) => {
    expect(allocateSlots(topK, mix, { kg, thoughts })).toEqual({ kg: kgSlots, thoughts: thoughtSlots });
  });

  it('fills every slot it can, with at least one row of each source if both have rows', () => {
    const count = fc.integer({ min: 0, max: 60 });
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 50 }), share, count, count, (topK, mix, kg, thoughts) => {
        const slots = allocateSlots(topK, mix, { kg, thoughts });
        expect(slots.kg + slots.thoughts).toBe(Math.min(topK, kg + thoughts));
        expect(slots.kg).toBeLessThanOrEqual(kg);
        expect(slots.thoughts).toBeLessThanOrEqual(thoughts);
        expect(slots.kg > 0 || kg === 0).toBe(true);
        expect(slots.thoughts > 0 || thoughts === 0).toBe(true);
      }),
    );
  });
});
