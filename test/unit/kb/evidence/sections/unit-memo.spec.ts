import { UnitMemo } from '../../../../../src/kb/evidence/sections/read-section.js';

describe('UnitMemo', () => {
  it('splits a text into units with their terms', () => {
    const memo = new UnitMemo();
    expect(memo.unitsOf('A ship. Two ships.')).toMatchObject([
      { start: 0, end: 7, terms: ['a', 'ship'] },
      { start: 8, end: 18, terms: ['two', 'ship'] },
    ]);
  });

  it('keeps the texts that were used last', () => {
    const memo = new UnitMemo(12);
    const [first, second] = [memo.unitsOf('A ship.'), memo.unitsOf('Four.')];
    memo.unitsOf('A ship.');
    memo.unitsOf('Five.');
    expect(memo.unitsOf('A ship.')).toBe(first);
    expect(memo.unitsOf('Four.')).not.toBe(second);
  });

  it('keeps nothing that is longer than all it may keep', () => {
    const memo = new UnitMemo(3);
    expect(memo.unitsOf('A ship.')).not.toBe(memo.unitsOf('A ship.'));
  });
});
