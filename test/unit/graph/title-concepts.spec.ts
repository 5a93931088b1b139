import fc from 'fast-check';
import {
  ConceptFilter,
  findConcepts,
  isConcept,
  MAX_CONCEPT_TERMS,
  MAX_HOMES,
  MAX_SINGLE_TERM_SECTIONS,
  titleKeys,
} from '../../../src/graph/title-concepts.js';
import { searchTerms } from '../../../src/text/terms/search-terms.js';

describe('titleKeys', () => {
  it.each([
    { what: 'a title by its stems', title: 'Rate limits', keys: ['rate limit'] },
    {
      what: 'a title with and without what tells it from others',
      title: 'Red Harbour (band)',
      keys: ['red harbour band', 'red harbour'],
    },
    { what: 'no title of function words only', title: 'About this', keys: [] },
    { what: 'no empty title', title: '***', keys: [] },
    { what: 'a title of the most terms', title: 'w '.repeat(MAX_CONCEPT_TERMS), keys: ['w w w w w w w w'] },
    { what: 'no title that is a sentence', title: 'w '.repeat(MAX_CONCEPT_TERMS + 1), keys: [] },
  ])('takes $what', ({ title, keys }) => {
    expect(titleKeys(title, new Map())).toEqual(keys);
  });
});

describe('isConcept', () => {
  const rare = (): number => 1;

  it('accepts a title of few documents', () => {
    expect(isConcept('safe mode', 0, rare)).toBe(false);
    expect(isConcept('safe mode', 1, rare)).toBe(true);
    expect(isConcept('safe mode', MAX_HOMES, rare)).toBe(true);
    expect(isConcept('safe mode', MAX_HOMES + 1, rare)).toBe(false);
  });

  it('accepts a single word only if it is rare', () => {
    const often = (): number => MAX_SINGLE_TERM_SECTIONS + 1;
    expect(isConcept('harbour', 1, () => MAX_SINGLE_TERM_SECTIONS)).toBe(true);
    expect(isConcept('harbour', 1, often)).toBe(false);
    expect(isConcept('red harbour', 1, often)).toBe(true);
  });
});

describe('findConcepts', () => {
  const keys = ['rate', 'rate limit', 'limit of a harbour', 'harbour'];
  const filter = new ConceptFilter(keys.length, keys);
  const find = (key: string): string | undefined => keys.find((known) => known === key);
  const foundIn = (terms: readonly string[]) => [...findConcepts(terms, filter, find)];
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
    expect(foundIn(searchTerms(text))).toEqual(found);
  });

  it('finds only keys, and never more words than the text contains', () => {
    const words = fc.array(fc.constantFrom('rate', 'limit', 'of', 'a', 'harbour', 'ship'), { maxLength: 40 });
    fc.assert(
      fc.property(words, (terms) => {
        const found = foundIn(terms);
        const used = found.reduce((sum, [key, times]) => sum + key.split(' ').length * times, 0);
        expect(used).toBeLessThanOrEqual(terms.length);
        expect(found.every(([key]) => terms.join(' ').includes(key))).toBe(true);
      }),
    );
  });

  it('looks up few texts that are no concepts', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `name ${i} here`);
    const passing = new ConceptFilter(many.length, many);
    const texts = Array.from({ length: 10_000 }, (_, i) => ['name', String(i), 'there']);
    const passed = (all: readonly string[][]) =>
      all.filter((terms) => passing.lengthsAt(terms, 0).length > 0);
    expect(passed(many.map((key) => key.split(' ')))).toHaveLength(10_000);
    expect(passed(texts).length).toBeLessThan(200);
  });
});
