import { chooseFloor, rowsAbove } from '../../../../src/memory/recall/pick-rows.js';
import { scored } from '../../../support/fake-memory-store.js';

const sources = (kg: readonly number[], thoughts: readonly number[]) => ({
  kg: kg.map((score, i) => scored(`e:${i}`, score)),
  thoughts: thoughts.map((score, i) => scored(`t:${i}`, score)),
});

describe('chooseFloor', () => {
  it.each<[string, number[], number[], number]>([
    ['stays if both sources have a row above it', [0.31, 0.2], [0.27], 0.25],
    ['stays if a row reaches it exactly', [0.25], [0.25], 0.25],
    ['is lowered to the best row of a source that would be empty', [0.6, 0.5], [0.19, 0.16], 0.19],
    ['is lowered to the lower of the two best rows if both sources would be empty', [0.22], [0.18], 0.18],
    ['is lowered exactly to the minimum', [0.6], [0.15], 0.15],
    ['stays if no allowed floor would help the empty source', [0.6], [0.1499], 0.25],
    ['is lowered for the only source that it can help', [0.2], [0.1], 0.2],
    ['is lowered for the only source', [], [0.2], 0.2],
    ['is the minimum if no row reaches it', [0.1], [-0.3], 0.15],
    ['stays if there are no rows', [], [], 0.25],
  ])('%s', (_, kg, thoughts, expected) => {
    expect(chooseFloor(sources(kg, thoughts), 0.25, 0.15)).toBe(expected);
  });

  it('uses a floor below the minimum unchanged', () => {
    expect(chooseFloor(sources([0.12], [0.11]), 0.1, 0.15)).toBe(0.1);
    expect(chooseFloor(sources([0.12], [0.05]), 0.1, 0.15)).toBe(0.1);
  });

  it('is lowered for both sources, so that the other source may also gain rows', () => {
    const rows = sources([0.6, 0.2], [0.19, 0.16]);
    const before = rowsAbove(rows, 0.25);
    const after = rowsAbove(rows, chooseFloor(rows, 0.25, 0.15));
    expect([before.kg.length, before.thoughts.length]).toEqual([1, 0]);
    expect([after.kg.length, after.thoughts.length]).toEqual([2, 1]);
  });

  it('is lowered only as far as necessary, not in steps', () => {
    expect(chooseFloor(sources([0.6], [0.2437]), 0.25, 0.15)).toBe(0.2437);
  });
});
