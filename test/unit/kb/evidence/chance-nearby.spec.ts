import fc from 'fast-check';
import { chanceNearby } from '../../../../src/kb/evidence/choose-by-budget.js';

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

  const pairs = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0.01, max: 1, noNaN: true })),
    { minLength: 1 },
  );

  it('is the sum of all matches, each less by its distance, for each character of a unit', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const units = unitsOf(given.map(([length]) => length));
        const middleOf = ({ start, end }: { start: number; end: number }) => (start + end) / 2;
        const weights = units.map(
          (unit) =>
            (unit.end - unit.start) *
            given.reduce((sum, [, match], i) => {
              const distance = Math.abs(middleOf(unit) - middleOf(units[i] ?? unit));
              return sum + match * Math.exp(-distance / 150);
            }, 0),
        );
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        for (const [i, chance] of chanceNearby(
          units,
          given.map(([, match]) => match),
        ).entries())
          expect(chance).toBeCloseTo((weights[i] ?? NaN) / total, 10);
      }),
    );
  });

  it('has the sum 1 and no negative chance', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const chances = chanceNearby(
          unitsOf(given.map(([length]) => length)),
          given.map(([, match]) => match),
        );
        expect(Math.min(...chances)).toBeGreaterThan(0);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1);
      }),
    );
  });
});
