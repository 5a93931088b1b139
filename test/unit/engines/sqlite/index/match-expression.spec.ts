import { anyOf, canReach } from '../../../../../src/engines/sqlite/index/match-expression.js';

const weights = (...values: number[]) => values.map((weight, i) => ({ term: 'abc'.charAt(i), weight }));

describe('anyOf', () => {
  it('asks for any of the terms, each as a word', () => {
    expect(anyOf(weights(3, 2))).toBe('"a" OR "b"');
  });
});

describe('canReach', () => {
  it.each<[string, number[], number, string | null]>([
    ['anything where every term alone suffices', [3, 2], 4, null],
    ['the strong term where the other is too weak alone', [3, 1], 4, '("a")'],
    ['any other term of three where one is too weak', [3, 2, 1], 4, '("a" OR "b")'],
    ['both of two where neither suffices', [2, 2], 5, '("a") AND ("b")'],
    ['anything where nothing can reach it', [1, 1], 5, null],
  ])('wants %s', (_, values, score, expression) => {
    expect(canReach(weights(...values), score)).toBe(expression);
  });
});
