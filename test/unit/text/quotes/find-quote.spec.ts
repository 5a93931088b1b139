import fc from 'fast-check';
import { findQuote, findReadQuote, isWithinWord, quoteTerms } from '../../../../src/text/quotes/find-quote';
import { searchTerms } from '../../../../src/text/terms/search-terms';

const within = (marked: string): boolean => {
  const at = marked.indexOf('|');
  return isWithinWord(marked.replace('|', ''), at);
};

describe('isWithinWord', () => {
  it.each([
    'wo|rd',
    '5|0',
    '0|.5',
    '0.|5',
    'max|_retries',
    'max_|retries',
    'std|::map',
    'std:|:map',
    'std::|map',
  ])('is true for %s', (marked) => {
    expect(within(marked)).toBe(true);
  });

  it.each(['C|++', 'C+|+', 'C|#', 'cafe|\u0301', 'か|\u3099', '\ud83d|\ude00', 'well|-known'])(
    'is true for %s',
    (marked) => {
      expect(within(marked)).toBe(true);
    },
  );

  it.each([
    '|word',
    'word|',
    'a| b',
    'a |b',
    'end|. Next',
    'end.| Next',
    '(|a)',
    'a|)',
    '`|max`',
    '検|索',
    'a|検',
    '-|-flag',
    'a|#b',
    '1|+ 2',
  ])('is false for %s', (marked) => {
    expect(within(marked)).toBe(false);
  });
});

describe('findQuote', () => {
  it('finds every place, also of overlapping ones', () => {
    expect(findQuote('a b a b a', 'a b a')).toEqual([
      { start: 0, end: 5 },
      { start: 4, end: 9 },
    ]);
  });

  it('finds no place within a longer number', () => {
    expect(findQuote('is 50, is 5, is 5.5', 'is 5')).toEqual([{ start: 7, end: 11 }]);
  });

  it.each(['', 'B', 'a  b'])('does not find %j', (quote) => {
    expect(findQuote('a b', quote)).toEqual([]);
  });
});

describe('findReadQuote', () => {
  it('takes all white space as equal', () => {
    expect(findReadQuote('See | a   | b\n|, now', '| a | b |')).toEqual([{ start: 4, end: 15 }]);
  });

  it('widens a cut word', () => {
    expect(findReadQuote('Set max_retries to 5.', ' retries to ')).toEqual([{ start: 4, end: 18 }]);
  });

  it('takes the characters of patterns literally', () => {
    expect(findReadQuote('a.b (c) [d] x+ $1', '(c) [d] x+ $1')).toEqual([{ start: 4, end: 17 }]);
    expect(findReadQuote('aXb', 'a.b')).toEqual([]);
  });

  it.each(['', ' \n '])('finds nothing for %j', (quote) => {
    expect(findReadQuote('a b', quote)).toEqual([]);
  });
});

describe('quoteTerms', () => {
  const PIECES = [
    ...[
      'word',
      'Max',
      'HTTPServer',
      'v1beta1',
      'OAuth2',
      '50',
      'x',
      'café',
      'e\u0301',
      'Ё',
      '検索',
      'エンジン',
      'が',
      '한국',
      'ไทย',
    ],
    ...[
      '-',
      '_',
      '.',
      ':',
      '::',
      '/',
      '@',
      '#',
      '++',
      ' ',
      '\n',
      '™',
      '㎏',
      '½',
      '．',
      '－',
      '(',
      '`',
      'データー',
      '\u3099',
      '😀',
    ],
  ];
  const text = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 })
    .map((all) => all.join(''));

  it('are in the terms of every text that contains the quote', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
        const [start, end] = [a % whole.length, b % (whole.length + 1)].sort((x, y) => x - y);
        const quote = whole.slice(start, end);
        fc.pre(findQuote(whole, quote).some((span) => span.start === start));
        expect(searchTerms(whole)).toEqual(expect.arrayContaining(quoteTerms(quote)));
      }),
      { numRuns: Number(process.env['FC_RUNS'] ?? 2_000), seed: Number(process.env['FC_SEED'] ?? 7) },
    );
  });

  it('are the parts of identifiers, each once', () => {
    expect(quoteTerms('max_retries of kb.search, max')).toEqual(['max', 'retri', 'of', 'kb', 'search']);
  });
});
