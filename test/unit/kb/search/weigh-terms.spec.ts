import { plainPhrases, weighTerms } from '../../../../src/kb/search/bm25.js';

const counted = (terms: string[], frequency: Record<string, number>) =>
  terms.map((term) => ({
    term,
    found: Object.hasOwn(frequency, term) ? (frequency[term] ?? 0) : 0,
    asked: 1,
  }));
const weighed = (terms: string[], frequency: Record<string, number>, rows = 10) =>
  weighTerms(counted(terms, frequency), rows).map(({ term }) => term);

describe('weighTerms', () => {
  it.each<[string, string[], Record<string, number>, string[]]>([
    ['the rarest first', ['a', 'b', 'c'], { a: 3, b: 1, c: 2 }, ['b', 'c', 'a']],
    ['equally rare ones in the order of the alphabet', ['b', 'a'], { a: 1, b: 1 }, ['a', 'b']],
    ['none that no section holds', ['a', 'b'], { a: 1 }, ['a']],
    ['none that more than half of the sections hold', ['a', 'b'], { a: 6, b: 4 }, ['b']],
    ['the common ones if there are no others', ['a', 'b'], { a: 10, b: 9 }, ['a', 'b']],
    ['nothing if no term is in the index', ['a'], {}, []],
    ['nothing for nothing', [], {}, []],
  ])('asks for %s', (_, terms, frequency, asked) => {
    expect(weighed(terms, frequency)).toEqual(asked);
  });

  it('asks for at most 24 terms', () => {
    const terms = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const frequency = Object.fromEntries(terms.map((term, i) => [term, 26 - i]));
    expect(weighed(terms, frequency, 100).join('')).toBe('zyxwvutsrqponmlkjihgfedc');
  });

  it('counts a repeated term as often as it is asked, at most three times', () => {
    const terms = [2, 9].map((asked, i) => ({ term: 'ab'[i] ?? '', found: 1, asked }));
    const plain = weighTerms(counted(['a'], { a: 1 }), 10)[0]?.weight ?? 0;
    expect(weighTerms(terms, 10)).toEqual([
      { term: 'b', weight: 3 * plain, times: 3 },
      { term: 'a', weight: 2 * plain, times: 2 },
    ]);
  });

  it('keeps the rare terms of a long question', () => {
    const common = Array.from({ length: 40 }, (_, i) => ({ term: `common${i}`, found: 30, asked: 1 }));
    const rare = { term: 'rare', found: 1, asked: 1 };
    expect(weighTerms([...common, rare], 100)[0]?.term).toBe('rare');
  });

  it('weighs by inverse document frequency', () => {
    // ln((10 - 1 + .5) / (1 + .5))
    expect(weighTerms(counted(['a'], { a: 1 }), 10)[0]?.weight).toBeCloseTo(1.8458, 4);
  });
});

describe('plainPhrases', () => {
  it('omits phrases that cannot be in the index', () => {
    expect(plainPhrases([['rate', 'limit'], ['a*'], ['', ''], []])).toEqual([['rate', 'limit']]);
  });
});
