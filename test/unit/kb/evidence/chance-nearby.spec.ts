import fc from 'fast-check';
import { chanceNearby } from '../../../../src/kb/evidence/chance-nearby.js';

const unitsOf = (lengths: readonly number[]): { start: number; end: number }[] => {
  let start = 0;
  return lengths.map((length) => {
    const unit = { start, end: start + length };
    start = unit.end + 1;
    return unit;
  });
};

describe('chanceNearby', () => {
  it('falls with the distance from a match, on both sides alike', () => {
    const [far, near, match, after, last] = chanceNearby(unitsOf([50, 50, 50, 50, 50]), [0, 0, 1, 0, 0]);
    expect(match).toBeGreaterThan(near ?? 0);
    expect(near).toBeGreaterThan(far ?? 0);
    expect(after).toBeCloseTo(near ?? 0);
    expect(last).toBeCloseTo(far ?? 0);
  });

  it('is higher for a long unit', () => {
    const [match, long, , short] = chanceNearby(unitsOf([100, 100, 1, 10]), [1, 0, 0, 0]);
    expect(long).toBeGreaterThan(short ?? 0);
    expect(match).toBeGreaterThan(long ?? 0);
  });

  it('is zero if nothing matches', () => {
    expect(chanceNearby(unitsOf([5, 5]), [0, 0])).toEqual([0, 0]);
    expect(chanceNearby([], [])).toEqual([]);
  });

  it('has the sum 1 and no negative chance', () => {
    const units = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0.01, max: 1, noNaN: true })),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(units, (pairs) => {
        const chances = chanceNearby(
          unitsOf(pairs.map(([length]) => length)),
          pairs.map(([, match]) => match),
        );
        expect(Math.min(...chances)).toBeGreaterThan(0);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1);
      }),
    );
  });
});
