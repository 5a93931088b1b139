import { groupBySource } from '../../../src/kb/evidence/evidence-reply.js';

const grouped = (...places: readonly (readonly [string, number])[]) =>
  groupBySource(places, ([sectionId, start]) => ({ sectionId, start }));

describe('groupBySource', () => {
  it('puts the quotes of a section together, in the order of its text', () => {
    expect(grouped(['a.md', 9], ['b.md', 0], ['a.md', 2])).toEqual([
      [
        ['a.md', 2],
        ['a.md', 9],
      ],
      [['b.md', 0]],
    ]);
  });

  it('puts the sections of a page together, where its best one is', () => {
    expect(grouped(['b.md#x', 0], ['a.md', 0], ['b.md', 0]).flat()).toEqual([
      ['b.md#x', 0],
      ['b.md', 0],
      ['a.md', 0],
    ]);
  });

  it('is empty without quotes', () => {
    expect(grouped()).toEqual([]);
  });
});
