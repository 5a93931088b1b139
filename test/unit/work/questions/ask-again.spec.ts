import { areAnswered, newQuote, type SecondAnswer } from '../../../../src/work/questions/ask-again.js';

const QUOTE = { sectionId: 'new.md', path: 'new.md', title: 'New', quote: 'A reef.' };
const answer = (parts: Partial<SecondAnswer> = {}): SecondAnswer => ({
  ...{ rise: 0, newConfidence: 0.8, quote: QUOTE },
  ...parts,
});

describe('areAnswered', () => {
  it.each<[string, boolean, Partial<SecondAnswer>]>([
    ['a new quote is sure', true, { newConfidence: 0.79 }],
    ['new quotes are less sure', false, { newConfidence: 0.78 }],
    [
      'new quotes are less sure, but the answer is surer than before',
      true,
      { newConfidence: 0.6, rise: 0.2 },
    ],
    ['a new quote is sure, but the answer is less sure than before', false, { rise: -0.1 }],
    ['the answer is surer, but nothing new is quoted', false, { newConfidence: 0, rise: 0.5 }],
  ])('if %s: %s', (_, expected, parts) => {
    expect(areAnswered([answer(parts)])).toBe(expected);
  });

  it('counts all wordings of a gap', () => {
    const [sure, unsure] = [answer({ newConfidence: 0.9 }), answer({ newConfidence: 0.6 })];
    expect(areAnswered([sure, sure, unsure])).toBe(true);
    expect(areAnswered([sure, unsure])).toBe(false);
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
