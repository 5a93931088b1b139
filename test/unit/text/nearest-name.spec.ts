import { nearestName } from '../../../src/text/nearest-name.js';

describe('nearestName', () => {
  it.each([
    ['PITH_INDX', ['PITH_INDEX', 'PITH_SECRET'], 'PITH_INDEX', 1],
    ['PITH_INDEX', ['PITH_SECRET', 'PITH_INDEX'], 'PITH_INDEX', 0],
    ['PITH_INDEXX', ['PITH_INDEX'], 'PITH_INDEX', 1],
    ['PITH_INDEY', ['PITH_INDEX'], 'PITH_INDEX', 1],
    ['PITH_IDNEX', ['PITH_INDEX'], 'PITH_INDEX', 1],
    ['', ['AB', 'A'], 'A', 1],
    ['kitten', ['sitting'], 'sitting', 3],
  ])('is called with %s and %j, and returns %s', (name, known, nearest, distance) => {
    expect(nearestName(name, known)).toEqual({ name: nearest, distance });
  });

  it('returns the first of two equally similar names', () => {
    expect(nearestName('C', ['A', 'B']).name).toBe('A');
  });
});
