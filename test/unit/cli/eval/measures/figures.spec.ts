import type { EvalRow, FigureSpec, Statistic } from '../../../../../src/cli/eval/eval-row.js';
import {
  bootstrapInterval,
  comparePairs,
  drawFlips,
  drawSamples,
  figuresOf,
  seededRandom,
  signFlipTest,
} from '../../../../../src/cli/eval/measures/figures.js';

const aRow = (id: number, values: Record<string, number>, answerable = true): EvalRow => {
  return { id: String(id), question: '?', type: 'q', multihop: false, answerable, values };
};
const aSpec = (statistic: Statistic): FigureSpec => {
  return { key: 'x', label: 'x', unit: 'share', better: 'more', statistic };
};
const MEAN = aSpec({ kind: 'mean', of: 'hit' });
const valueOf = (rows: EvalRow[], statistic: Statistic) => figuresOf(rows, [aSpec(statistic)])[0]?.value;

describe('seededRandom', () => {
  it('gives the same numbers for the same seed, in [0, 1)', () => {
    const [a, b, other] = [seededRandom(1), seededRandom(1), seededRandom(2)];
    const numbers = [a(), a(), a()];
    expect([b(), b(), b()]).toEqual(numbers);
    expect(other()).not.toBe(numbers[0]);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  });

  it('is evenly distributed', () => {
    const random = seededRandom(7);
    const sum = Array.from({ length: 10_000 }, random).reduce((total, number) => total + number, 0);
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
  });
});

describe('figuresOf', () => {
  it('leaves out rows without the value', () => {
    expect(valueOf([aRow(1, { hit: 1 }), aRow(2, { hit: 0 }), aRow(3, {})], MEAN.statistic)).toBe(0.5);
  });

  it('divides sums for a ratio, which is undefined for a denominator of 0', () => {
    const rows = [aRow(1, { tokens: 300, hit: 1 }), aRow(2, { tokens: 100, hit: 0 })];
    expect(valueOf(rows, { kind: 'ratio', of: 'tokens', per: 'hit' })).toBe(400);
    expect(valueOf(rows, { kind: 'ratio', of: 'tokens', per: 'none' })).toBeNull();
  });

  it('compares answerable with unanswerable rows for AUROC', () => {
    const rows = [aRow(1, { sure: 3 }), aRow(2, { sure: 1 }), aRow(3, { sure: 2 }, false)];
    expect(valueOf(rows, { kind: 'auroc', of: 'sure' })).toBe(0.5);
    expect(valueOf(rows.slice(0, 2), { kind: 'auroc', of: 'sure' })).toBeNull();
  });

  it('computes the same interval around a value each time', () => {
    const rows = Array.from({ length: 100 }, (_, i) => aRow(i, { hit: i % 2 }));
    const [figure] = figuresOf(rows, [MEAN]);
    expect(figuresOf(rows, [MEAN])).toEqual([figure]);
    // .5 ± 1.96 · √(.25 / 100)
    expect(figure?.interval?.low).toBeCloseTo(0.402, 1);
    expect(figure?.interval?.high).toBeCloseTo(0.598, 1);
  });
});

describe('drawSamples', () => {
  it('keeps the size of each stratum', () => {
    const [sample = []] = drawSamples([[0, 1, 2], [3]], seededRandom(1));
    expect(sample).toHaveLength(4);
    expect(sample.filter((pick) => pick === 3)).toEqual([3]);
  });
});

describe('bootstrapInterval', () => {
  it('is null if most samples are undefined', () => {
    expect(bootstrapInterval([[1], [2], [3]], (picks) => (picks[0] === 1 ? 1 : NaN))).toBeNull();
  });
});

describe('signFlipTest', () => {
  it('counts the flips with at least the observed difference, and the observed one', () => {
    // Differences 1 and 1: 2 flipped none, 0 flipped one, -2 flipped both.
    const flips = [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ];
    const difference = (flipped: readonly boolean[]) =>
      flipped.reduce((sum, isFlipped) => sum + (isFlipped ? -1 : 1), 0);
    expect(signFlipTest(flips, difference)).toBe(3 / 5);
  });

  it('draws the same flips for the same seed', () => {
    expect(drawFlips(3, seededRandom(4))).toEqual(drawFlips(3, seededRandom(4)));
  });
});

describe('comparePairs', () => {
  const pairs = (gains: number[]) =>
    gains.map((gain, i) => ({ now: aRow(i, { hit: gain }), before: aRow(i, { hit: 0 }) }));

  it('is significant for ten gains in ten, but not for one', () => {
    const [all] = comparePairs(pairs([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]), [MEAN]);
    expect(all).toMatchObject({ before: 0, now: 1, interval: { low: 1, high: 1 } });
    // 2 of 1,024 sign patterns
    expect(all?.p).toBeLessThan(0.01);
    const [one] = comparePairs(pairs([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [MEAN]);
    expect(one).toMatchObject({ now: 0.1, p: 1 });
  });

  it('has p 1 without changes', () => {
    expect(comparePairs(pairs([0, 0, 0]), [MEAN])[0]).toMatchObject({ now: 0, p: 1 });
  });

  it('leaves out figures that one run does not define', () => {
    expect(comparePairs(pairs([1]), [aSpec({ kind: 'mean', of: 'new' })])).toEqual([]);
  });
});
