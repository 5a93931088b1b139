import { UnitMemo } from '../../../../../src/kb/evidence/sections/read-section.js';
import { withStructure } from '../../../../support/builders.js';

const unitsOf = (memo: UnitMemo, text: string) => memo.unitsOf(withStructure({ text }));

describe('UnitMemo', () => {
  it('reads the units of a text with their terms', () => {
    const memo = new UnitMemo();
    expect(unitsOf(memo, 'A ship. Two ships.')).toMatchObject([
      { unit: { start: 0, end: 7 }, terms: ['a', 'ship'] },
      { unit: { start: 8, end: 18 }, terms: ['two', 'ship'] },
    ]);
  });

  it('keeps the texts that were used last', () => {
    const memo = new UnitMemo(12);
    const [first, second] = [unitsOf(memo, 'A ship.'), unitsOf(memo, 'Four.')];
    unitsOf(memo, 'A ship.');
    unitsOf(memo, 'Five.');
    expect(unitsOf(memo, 'A ship.')).toBe(first);
    expect(unitsOf(memo, 'Four.')).not.toBe(second);
  });

  it('keeps nothing that is longer than all it may keep', () => {
    const memo = new UnitMemo(3);
    expect(unitsOf(memo, 'A ship.')).not.toBe(unitsOf(memo, 'A ship.'));
  });
});
