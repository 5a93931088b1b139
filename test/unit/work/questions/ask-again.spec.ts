import { areAnswered, newQuote, type SecondAnswer } from '../../../../src/work/questions/ask-again.js';

const QUOTE = { sectionId: 'new.md', path: 'new.md', title: 'New', quote: 'A reef.' };
const answer = (parts: Partial<SecondAnswer> = {}): SecondAnswer => ({
  ...{ confidence: 0.8, rise: 0, newShare: 1, quote: QUOTE },
  ...parts,
});

describe('areAnswered', () => {
  it.each<[string, boolean, Partial<SecondAnswer>]>([
    ['most quotes are new and nothing is surer', true, { newShare: 0.6 }],
    ['fewer quotes are new', false, { newShare: 0.4 }],
    ['fewer quotes are new, but the answer is surer', true, { newShare: 0.4, rise: 0.07 }],
    ['all quotes are new, but the answer is much less sure than before', false, { rise: -0.3 }],
    ['the answer is not sure', false, { confidence: 0.64 }],
  ])('if %s: %s', (_, expected, parts) => {
    expect(areAnswered([answer(parts)])).toBe(expected);
  });

  it('counts all wordings of a group', () => {
    expect(areAnswered([answer(), answer(), answer({ newShare: 0 })])).toBe(true);
    expect(areAnswered([answer(), answer({ newShare: 0 })])).toBe(false);
    expect(areAnswered([])).toBe(false);
  });
});

describe('newQuote', () => {
  it('is of the answer that has become surest', () => {
    const other = { ...QUOTE, sectionId: 'other.md' };
    expect(newQuote([answer({ rise: 0.1 }), answer({ rise: 0.2, quote: other })])).toBe(other);
  });

  it('is null if nothing new was quoted', () => {
    expect(newQuote([answer({ quote: null })])).toBeNull();
  });
});
