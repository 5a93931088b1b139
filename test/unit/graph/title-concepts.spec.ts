import fc from 'fast-check';
import {
  chooseConcepts,
  compareConcepts,
  conceptTrie,
  findConcepts,
  MAX_CONCEPT_TERMS,
  MAX_HOMES,
  MAX_SINGLE_TERM_SECTIONS,
  type OwnedTitle,
} from '../../../src/graph/title-concepts.js';
import { searchTerms } from '../../../src/text/terms/search-terms.js';

const aTitle = (title: string, rest: Partial<OwnedTitle> = {}): OwnedTitle => ({
  title,
  document: 'a.md',
  section: null,
  ...rest,
});
const rare = (): number => 1;
const keysOf = (titles: readonly OwnedTitle[], frequencyOf = rare): string[] => [
  ...chooseConcepts(titles, frequencyOf).keys(),
];
const inDocuments = (title: string, count: number): OwnedTitle[] =>
  Array.from({ length: count }, (_, i) => aTitle(title, { document: `${i}.md`, section: `${i}.md#x` }));

describe('chooseConcepts', () => {
  it.each([
    { what: 'a title by its stems', titles: [aTitle('Rate limits')], keys: ['rate limit'] },
    {
      what: 'a title with and without what tells it from others',
      titles: [aTitle('Red Harbour (band)')],
      keys: ['red harbour', 'red harbour band'],
    },
    { what: 'no title of function words only', titles: [aTitle('About this')], keys: [] },
    { what: 'no empty title', titles: [aTitle('***')], keys: [] },
    { what: 'a heading of few documents', titles: inDocuments('Safe mode', MAX_HOMES), keys: ['safe mode'] },
    { what: 'no heading of many documents', titles: inDocuments('Safe mode', MAX_HOMES + 1), keys: [] },
    {
      what: 'no title that is a sentence',
      titles: [aTitle('w '.repeat(MAX_CONCEPT_TERMS + 1))],
      keys: [],
    },
  ])('takes $what', ({ titles, keys }) => {
    expect(keysOf(titles)).toEqual(keys);
  });

  it('accepts a single word only if it is rare', () => {
    const titles = [aTitle('Harbour'), aTitle('Red harbour')];
    expect(keysOf(titles, () => MAX_SINGLE_TERM_SECTIONS)).toEqual(['harbour', 'red harbour']);
    expect(keysOf(titles, () => MAX_SINGLE_TERM_SECTIONS + 1)).toEqual(['red harbour']);
  });

  it('returns the documents and sections of a concept', () => {
    const titles = [aTitle('rate limit', { document: 'b.md', section: 'b.md#rate' }), aTitle('Rate Limits')];
    expect([...chooseConcepts(titles, rare).values()]).toEqual([
      {
        key: 'rate limit',
        documents: ['a.md'],
        sections: ['b.md#rate'],
        homes: ['a.md', 'b.md'],
      },
    ]);
  });

  it('does not depend on the order of the titles', () => {
    const title = fc.record({
      title: fc.constantFrom('Rate limit', 'rate limits', 'Safe mode (beta)', 'Safe mode', 'Harbour'),
      document: fc.constantFrom('a.md', 'b.md', 'c.md', 'd.md'),
      section: fc.constantFrom(null, 's1', 's2'),
    });
    const shuffled = fc
      .array(title, { maxLength: 12 })
      .chain((titles) =>
        fc.tuple(fc.constant(titles), fc.shuffledSubarray(titles, { minLength: titles.length })),
      );
    fc.assert(
      fc.property(shuffled, ([titles, others]) => {
        expect([...chooseConcepts(others, rare)]).toEqual([...chooseConcepts(titles, rare)]);
      }),
    );
  });
});

describe('findConcepts', () => {
  const trie = conceptTrie(['rate', 'rate limit', 'limit of a harbour', 'harbour']);
  it.each([
    { what: 'nothing in an empty text', text: '', found: [] },
    { what: 'nothing in a text without titles', text: 'A ship sinks', found: [] },
    { what: 'the longest title', text: 'Rate limits help', found: [['rate limit', 1]] },
    {
      what: 'a shorter title if the text lacks the rest of a longer one',
      text: 'rate of change',
      found: [['rate', 1]],
    },
    {
      what: 'titles that share no word, from the left',
      text: 'rate limit of a harbour',
      found: [
        ['rate limit', 1],
        ['harbour', 1],
      ],
    },
    { what: 'the number of occurrences', text: 'rates, rates and rates', found: [['rate', 3]] },
    { what: 'no title of which the text has only the beginning', text: 'limit of a', found: [] },
  ])('finds $what', ({ text, found }) => {
    expect([...findConcepts(searchTerms(text), trie)]).toEqual(found);
  });

  it('finds only keys, and never more words than the text contains', () => {
    const words = fc.array(fc.constantFrom('rate', 'limit', 'of', 'a', 'harbour', 'ship'), { maxLength: 40 });
    fc.assert(
      fc.property(words, (terms) => {
        const found = [...findConcepts(terms, trie)];
        const used = found.reduce((sum, [key, times]) => sum + key.split(' ').length * times, 0);
        expect(used).toBeLessThanOrEqual(terms.length);
        expect(found.every(([key]) => terms.join(' ').includes(key))).toBe(true);
      }),
    );
  });
});

describe('compareConcepts', () => {
  it('reports new concepts, removed ones, and those in a different number of documents', () => {
    const current = chooseConcepts(
      [aTitle('Same owl'), aTitle('New owl'), ...inDocuments('Moved owl', 2)],
      rare,
    );
    const known = new Map([
      ['same owl', 1],
      ['move owl', 1],
      ['gone owl', 1],
    ]);
    const { gone, written, changed } = compareConcepts(known, current);
    expect(gone).toEqual(['gone owl']);
    expect(written.map(({ key }) => key)).toEqual(['move owl', 'new owl']);
    expect([...changed]).toEqual(['gone owl', 'new owl']);
  });
});
