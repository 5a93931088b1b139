import { anyOf, canReach } from '../../../../../src/engines/sqlite/index/match-expression.js';

const weights = (...values: number[]) =>
  values.map((weight, i) => ({ term: 'abc'.charAt(i), weight, times: 1 }));

describe('anyOf', () => {
  it('matches any of the terms, each as a word', () => {
    expect(anyOf(weights(3, 2))).toBe('"a" OR "b"');
  });

  it('names a term as often as it counts', () => {
    expect(anyOf([{ term: 'a', weight: 2, times: 2 }])).toBe('"a" OR "a"');
  });
});

describe('canReach', () => {
  it.each<[string, number[], number, string | null]>([
    ['nothing if every term alone suffices', [3, 2], 4, null],
    ['the strong term if the other one alone is too weak', [3, 1], 4, '("a")'],
    ['one of the other two terms if the third is too weak', [3, 2, 1], 4, '("a" OR "b")'],
    ['both of two terms if neither suffices', [2, 2], 5, '("a") AND ("b")'],
    ['nothing if no row can reach the score', [1, 1], 5, null],
  ])('requires %s', (_, values, score, expression) => {
    expect(canReach(weights(...values), score)).toBe(expression);
  });
});
