import fc from 'fast-check';
import {
  bucketWeight,
  eachWord,
  hashWords,
  packWords,
  WORD_DIMENSIONS,
} from '../../../../src/sqlite/latent/hashed-words.js';

const TERMS = fc.array(fc.string(), { maxLength: 20 });

describe('hashWords', () => {
  it('weights a word by its number of occurrences, independent of order', () => {
    const { buckets, weights } = hashWords(['owl', 'kestrel', 'owl']);
    expect(buckets).toHaveLength(2);
    expect([...weights].sort()).toEqual([1, Math.fround(1 + Math.log(2))]);
    expect(hashWords(['owl', 'owl', 'kestrel'])).toEqual({ buckets, weights });
  });

  it('gives ascending, unique components within bounds', () => {
    fc.assert(
      fc.property(TERMS, (terms) => {
        const { buckets } = hashWords(terms);
        expect([...new Set(buckets)].sort((a, b) => a - b)).toEqual([...buckets]);
        expect(Math.max(0, ...buckets)).toBeLessThan(WORD_DIMENSIONS);
      }),
    );
  });

  it('rarely gives two words the same component', () => {
    const words = Array.from({ length: 15_000 }, (_, i) => `word${i}`);
    expect(hashWords(words).buckets.length).toBeGreaterThan(14_800);
  });

  it('gives the same vector on every machine', () => {
    expect([...hashWords(['kestrel', '東京']).buckets]).toEqual([466610, 577136]);
  });
});

describe('packWords', () => {
  it('is reversed by eachWord', () => {
    fc.assert(
      fc.property(TERMS, (terms) => {
        const words = hashWords(terms);
        const read: (readonly [number, number])[] = [];
        eachWord(packWords(words), (bucket, weight) => read.push([bucket, weight]));
        expect(read).toEqual(Array.from(words.buckets, (bucket, i) => [bucket, words.weights[i]]));
      }),
    );
  });
});

describe('bucketWeight', () => {
  it('is highest for a word that no text has, and positive for one that all texts have', () => {
    const byBucket = Uint32Array.of(0, 1, 10);
    const values = [0, 1, 2].map((bucket) => bucketWeight({ texts: 10, byBucket }, bucket));
    expect(values.toSorted((a, b) => b - a)).toEqual(values);
    expect(values[2]).toBeGreaterThan(0);
  });
});
