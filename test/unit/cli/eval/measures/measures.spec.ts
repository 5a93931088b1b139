import {
  auroc,
  mean,
  ndcgAt,
  quantile,
  reciprocalRankAt,
} from '../../../../../src/cli/eval/measures/measures.js';

describe('ndcgAt', () => {
  it.each([
    ['everything relevant first', [1, 1, 0], [1, 1], 1],
    // 1/log2(2) = 1 against 1.
    ['the only relevant one first', [1, 0, 0], [1], 1],
    // 1/log2(3) = .63093 against 1.
    ['the only relevant one second', [0, 1], [1], 0.63093],
    // (1 + 1/log2(4)) / (1 + 1/log2(3)) = 1.5 / 1.63093
    ['one of two a rank too low', [1, 0, 1], [1, 1], 0.91972],
    // Graded: (2 + 3/log2(3)) / (3 + 2/log2(3)) = 3.89279 / 4.26186
    ['the better one second', [2, 3], [3, 2], 0.9134],
    // One of two found: 1 / 1.63093
    ['one that was not found', [1], [1, 1], 0.61315],
    ['nothing found', [0, 0], [1], 0],
    ['nothing relevant', [0, 0], [], 0],
  ])('of %s', (_, ranked, judged, expected) => {
    expect(ndcgAt(10, ranked, judged)).toBeCloseTo(expected, 4);
  });

  it('uses only the first k ranks, also of the best order', () => {
    expect(ndcgAt(1, [0, 1], [1])).toBe(0);
    expect(ndcgAt(1, [1, 0], [1, 1, 1])).toBe(1);
  });
});

describe('reciprocalRankAt', () => {
  it.each([
    [[1, 1], 1],
    [[0, 0, 2], 1 / 3],
    [[0, 0, 0, 1], 0],
    [[], 0],
  ])('of %j within three ranks', (ranked, expected) => {
    expect(reciprocalRankAt(3, ranked)).toBe(expected);
  });
});

describe('auroc', () => {
  it.each([
    ['apart', [3, 4], [1, 2], 1],
    ['the wrong way round', [1], [2, 3], 0],
    ['all the same', [1, 1], [1], 0.5],
    // 3 > 2, 3 > 1, 2 = 2, 2 > 1: 3.5 of 4
    ['with a tie', [3, 2], [2, 1], 0.875],
  ])('of scores that are %s', (_, positives, negatives, expected) => {
    expect(auroc(positives, negatives)).toBe(expected);
  });

  it('is undefined if only one of the two groups has scores', () => expect(auroc([1], [])).toBeNaN());
});

describe('quantile', () => {
  it.each([
    [[4, 1, 3, 2], 0.5, 3],
    [[4, 1, 3, 2], 0.95, 4],
    [[10, 9], 0, 9],
    [[7], 1, 7],
  ])('of %j at %d', (values, q, expected) => expect(quantile(values, q)).toBe(expected));

  it('is undefined for no values', () => expect(quantile([], 0.5)).toBeNaN());
});

describe('mean', () => {
  it('is the sum over the count', () => expect(mean([1, 2, 6])).toBe(3));
  it('is undefined for no values', () => expect(mean([])).toBeNaN());
});
