import {
  askForTerms,
  phraseFrequency,
  roundedAverage,
  termIndex,
  weighSection,
} from '../../../../../src/engines/qdrant/search/sparse-terms.js';

const nothing = { title: [], headings: [], file: [], body: [] };

describe('termIndex', () => {
  it('gives a term a fixed index of 32 bits', () => {
    expect([termIndex('kestrel'), termIndex('owl'), termIndex('設定')]).toEqual([
      1_921_934_979, 1_294_382_138, 2_677_536_400,
    ]);
  });

  it('gives 20,000 terms 20,000 indexes', () => {
    const places = Array.from({ length: 20_000 }, (_, i) => termIndex(`term${i}`));
    expect(new Set(places).size).toBe(20_000);
  });
});

describe('askForTerms', () => {
  it('asks for each term with its number of occurrences', () => {
    expect(askForTerms(['owl', 'owl'])).toEqual({ indices: [termIndex('owl')], values: [2] });
  });
});

describe('weighSection', () => {
  it('weights titles twice, and a section of average length as BM25 does', () => {
    const terms = { ...nothing, title: ['owl'], body: ['kestrel', 'owl'] };
    const { indices, values } = weighSection(terms, 3);
    const weightOf = (term: string) => values[indices.indexOf(termIndex(term))];
    expect(weightOf('kestrel')).toBeCloseTo(1, 6);
    expect(weightOf('owl')).toBeCloseTo((3 * 2.2) / (3 + 1.2), 6);
  });

  it('gives lower weights in a longer section', () => {
    const long = { ...nothing, body: ['owl', ...Array.from({ length: 9 }, (_, i) => `w${i}`)] };
    const weightOf = (average: number) => {
      const { indices, values } = weighSection(long, average);
      return values[indices.indexOf(termIndex('owl'))] ?? 0;
    };
    expect(weightOf(5)).toBeLessThan(weightOf(10));
  });

  it('lists indexes in ascending order, and none without terms', () => {
    const { indices } = weighSection({ ...nothing, body: ['a', 'b', 'c', 'd'] }, 4);
    expect(indices).toEqual([...indices].sort((a, b) => a - b));
    expect(weighSection(nothing, 0)).toEqual({ indices: [], values: [] });
  });
});

describe('roundedAverage', () => {
  it.each([
    [0, 0],
    [134.6, 130],
    [7.46, 7.5],
  ])('keeps two digits of %d', (average, rounded) => {
    expect(roundedAverage(average)).toBe(rounded);
  });
});

describe('phraseFrequency', () => {
  it('counts terms in this order, with double weight in a title', () => {
    const terms = { ...nothing, title: ['rate', 'limit'], body: ['limit', 'rate', 'limit', 'rate'] };
    expect(phraseFrequency(terms, ['rate', 'limit'])).toBe(3);
  });

  it('does not count a phrase across two fields', () => {
    expect(phraseFrequency({ ...nothing, title: ['rate'], body: ['limit'] }, ['rate', 'limit'])).toBe(0);
  });
});
