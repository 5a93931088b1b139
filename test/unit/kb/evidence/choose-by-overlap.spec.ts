import fc from 'fast-check';
import {
  chooseByOverlap,
  type QuoteOptions,
  type QuotePart,
} from '../../../../src/kb/evidence/choose-by-overlap.js';
import { estimateTokens } from '../../../../src/text/estimate-tokens.js';
import { overlaps } from '../../../support/overlaps.js';

const OPTIONS = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 0 };
const choose = (parts: QuotePart[], options: Partial<QuoteOptions> = {}) =>
  chooseByOverlap(parts, { ...OPTIONS, ...options });
const aPart = (question: string, ...texts: string[]): QuotePart => ({
  question,
  texts: texts.map((text, i) => ({ id: `text-${i}`, text })),
});
const quotesOf = (parts: QuotePart[], options?: Partial<QuoteOptions>) =>
  choose(parts, options).map(({ quote }) => quote);

const words = fc.array(fc.constantFrom('mount', 'disk', 'full.', 'on', 'a', '\n\n', '- '), { maxLength: 80 });
const someTexts = fc.array(words, { maxLength: 4 }).map((texts) => texts.map((text) => text.join(' ')));

describe('chooseByOverlap', () => {
  it('chooses the best spans of all texts, best first', () => {
    const parts = [aPart('mount disk', 'Mount it. Rest.', 'Mount the disk.')];
    expect(choose(parts, { maxQuotes: 2 })).toEqual([
      { textId: 'text-1', quote: 'Mount the disk.', start: 0, end: 15, confidence: 1 },
      { textId: 'text-0', quote: 'Mount it.', start: 0, end: 9, confidence: 0.5 },
    ]);
  });

  it('chooses at most the requested number', () => {
    expect(quotesOf([aPart('disk', 'A disk. Two disks. Three disks.')], { maxQuotes: 2 })).toEqual([
      'A disk.',
      'Two disks.',
    ]);
  });

  it('reports the score, rounded to four places, as the confidence', () => {
    expect(choose([aPart('mount disk full', 'Mount.')])[0]?.confidence).toBe(0.3333);
  });

  it('chooses for the parts of a question in turn', () => {
    const text = 'A disk. Two disks. A ship. Two ships.';
    const parts = [aPart('disk', text), aPart('ship', text)];
    expect(quotesOf(parts, { maxQuotes: 3 })).toEqual(['A disk.', 'A ship.', 'Two disks.']);
  });

  it('quotes a span once if it is the best of several parts', () => {
    const text = 'A disk. A ship. A disk on a ship.';
    const parts = [aPart('disk ship', text), aPart('ship disk', text)];
    expect(quotesOf(parts)).toEqual(['A disk on a ship.', 'A disk.', 'A ship.']);
  });

  it('gives unused turns of a part to the others, before spans without a word of the question', () => {
    const text = 'A disk. Two disks. No.';
    const parts = [aPart('nothing', text), aPart('disk', text)];
    expect(choose(parts).map(({ quote, confidence }) => [quote, confidence])).toEqual([
      ['A disk.', 1],
      ['Two disks.', 1],
      ['No.', 0],
    ]);
  });

  it('adds context that is not in another quote', () => {
    const parts = [aPart('disk', 'Ahead. A disk. A long disk. Behind.')];
    expect(quotesOf(parts, { maxQuotes: 2, contextTokens: 200 })).toEqual([
      'Ahead. A disk.',
      'A long disk. Behind.',
    ]);
  });

  describe('with parts that were shown', () => {
    const text = 'A disk. Ahead. Two disks. Behind.';
    const choose1 = (start: number, end: number, options: Partial<QuoteOptions> = {}): string[] =>
      quotesOf([{ question: 'disk', texts: [{ id: 'a', text, seen: [{ start, end }] }] }], options);
    const at = text.indexOf('Two');

    it.each<[string, number, number, boolean]>([
      ['covers a span', at, at + 10, false],
      ['begins within a span', at + 9, at + 15, false],
      ['ends within a span', at - 3, at + 1, false],
      ['ends before a span', at - 3, at, true],
      ['begins after a span', at + 10, at + 15, true],
    ])('chooses no span of them: one that %s', (_, start, end, isChosen) => {
      expect(choose1(start, end).includes('Two disks.')).toBe(isChosen);
    });

    it('adds no context of them', () => {
      expect(choose1(at - 7, at, { maxQuotes: 1, contextTokens: 200 })).toEqual(['A disk.']);
      expect(choose1(at + 11, text.length, { maxQuotes: 1, contextTokens: 200 })).toEqual([
        'A disk. Ahead. Two disks.',
      ]);
    });
  });

  it('adds context up to another quote that has got its own', () => {
    const text = 'A disk. One, two, three. The long disk.';
    expect(quotesOf([aPart('disk', text)], { maxQuotes: 2, contextTokens: 200 })).toEqual([
      'A disk. One, two, three.',
      'The long disk.',
    ]);
  });

  it('takes a text of two parts as one', () => {
    const text = 'A disk on a quay. A ship.';
    const parts = [aPart('disk', text), aPart('ship', text)];
    expect(quotesOf(parts, { contextTokens: 200 })).toEqual(['A disk on a quay.', 'A ship.']);
  });

  it('adds context of another text, whatever is quoted at the same place elsewhere', () => {
    const parts = [aPart('disk', 'Ahead. A disk.', 'A disk. Behind.')];
    expect(quotesOf(parts, { maxQuotes: 2, contextTokens: 200 })).toEqual([
      'A disk. Behind.',
      'Ahead. A disk.',
    ]);
  });

  it('chooses nothing without texts', () => {
    expect(choose([])).toEqual([]);
    expect(choose([aPart('disk')])).toEqual([]);
  });

  it('returns verbatim slices within the limits, without overlaps', () => {
    fc.assert(
      fc.property(someTexts, fc.integer({ min: 0, max: 200 }), (texts, contextTokens) => {
        const quotes = choose([aPart('mount disk', ...texts), aPart('full', ...texts)], { contextTokens });
        const byText = new Map(texts.map((text, i) => [`text-${i}`, text]));
        expect(quotes.map(({ quote }) => quote)).toEqual(
          quotes.map(({ textId, start, end }) => byText.get(textId)?.slice(start, end)),
        );
        expect(quotes.filter(({ quote }) => estimateTokens(quote) > 80 || quote.length > 500)).toEqual([]);
        expect(
          quotes.filter((a) => quotes.some((b) => a !== b && a.textId === b.textId && overlaps(a, b))),
        ).toEqual([]);
      }),
    );
  });
});
