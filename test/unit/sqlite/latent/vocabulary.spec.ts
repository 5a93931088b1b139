import { buildVocabulary, weighText } from '../../../../src/sqlite/latent/vocabulary.js';

const sections = [['b', 'a'], ['a', 'b', 'b'], ['b', 'c'], ['c', 'c', 'once'], ['often'], ['x', 'x'], ['y']];
const termsOf = (all: string[][], maxTerms = 100) => [...buildVocabulary(all, maxTerms).rowOf.keys()];

describe('buildVocabulary', () => {
  it('keeps terms of at least two sections, in alphabetical order', () => {
    expect(termsOf(sections)).toEqual(['a', 'b', 'c']);
  });

  it('drops terms that occur in half of the sections', () => {
    expect(termsOf([['a'], ['a'], ['b'], ['b'], ['c']])).toEqual(['a', 'b']);
    expect(termsOf([['a'], ['a'], ['b'], ['b']])).toEqual([]);
  });

  it('keeps the most frequent terms if there are too many, and breaks ties by alphabet', () => {
    expect(termsOf(sections, 2)).toEqual(['a', 'b']);
    expect(termsOf(sections, 1)).toEqual(['b']);
  });

  it('weights terms by inverse document frequency', () => {
    // ln((7 + 1) / (2 + .5)), ln((7 + 1) / (3 + .5))
    const [a, b] = buildVocabulary(sections, 100).idf;
    expect(a).toBeCloseTo(1.1632, 4);
    expect(b).toBeCloseTo(0.8267, 4);
  });

  it('is empty for no sections', () => {
    expect(buildVocabulary([], 100)).toEqual({ rowOf: new Map(), idf: new Float32Array(0) });
  });
});

describe('weighText', () => {
  const vocabulary = {
    rowOf: new Map([
      ['a', 0],
      ['b', 1],
      ['__proto__', 2],
    ]),
    idf: new Float32Array([3, 4, 1]),
  };
  const weightsOf = (...terms: string[]) => {
    const { columns, values } = weighText(vocabulary, terms);
    return [...columns].map((column, i) => [column, Math.round((values[i] ?? 0) * 1000) / 1000]);
  };

  it('weights terms by idf and scales to length 1, in row order', () => {
    expect(weightsOf('b', 'a')).toEqual([
      [0, 0.6],
      [1, 0.8],
    ]);
  });

  it('dampens repeats logarithmically', () => {
    // (1 + ln 2) · 3 = 5.0794 to 4
    expect(weightsOf('a', 'b', 'a')).toEqual([
      [0, 0.786],
      [1, 0.619],
    ]);
  });

  it('ignores unknown terms, and treats any term as a plain word', () => {
    expect(weightsOf('nothing', '__proto__', 'constructor')).toEqual([[2, 1]]);
    expect(weightsOf('nothing')).toEqual([]);
  });
});
