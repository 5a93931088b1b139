import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
  type QueryWord,
  queryWords,
  searchTerms,
  type StemMemo,
  wordTerms,
} from '../../../../src/text/terms/search-terms.js';

const TEXTS = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...'aB1_-.:+#é漢 '), maxLength: 300 }),
);

/** Formats a word as `whole` or `whole(part part)`. */
const spelled = ({ term, parts }: QueryWord): string =>
  parts.length === 0 ? term : `${term}(${parts.map(spelled).join(' ')})`;

describe('letters on other keyboards', () => {
  it.each([
    ['Gasse', 'GASSE'],
    ['Straße', 'STRASSE'],
    ['Łódź', 'lodz'],
    ['Smørrebrød', 'smorrebrod'],
    ['Diyarbakır', 'DİYARBAKIR'],
    ['o\u0308re', '\u00f6re'],
    ['\ufb01sh', 'fish'],
    ['\uff26\uff29\uff33\uff28', 'fish'],
  ])('makes the same terms of %s and %s', (written, typed) => {
    expect(searchTerms(written)).toEqual(searchTerms(typed));
  });
});

describe('searchTerms', () => {
  it.each<[string, string, string[]]>([
    ['lower-cased stems', 'Mounting Disks', ['mount', 'disk']],
    ['repeats', 'disk disk', ['disk', 'disk']],
    ['the parts of a snake case name and the whole', 'rate_limit', ['rate', 'limit', 'ratelimit']],
    ['the parts of a camel case name and the whole', 'maxRetries', ['max', 'retri', 'maxretri']],
    ['acronyms within a name', 'HTTPServer', ['http', 'server', 'httpserver']],
    ['the parts of a flag', '--max-retries', ['max', 'retri', 'maxretri']],
    ['the parts of a command', 'Get-ChildItem', ['get', 'child', 'item', 'childitem', 'getchilditem']],
    ['a dotted name', 'kb.search', ['kb', 'search', 'kbsearch']],
    ['a C++ name', 'std::map', ['std', 'map', 'stdmap']],
    ['C++ and C# apart from C', 'C++ C# C', ['c＋＋', 'c＃', 'c']],
    ['the names in a path', 'std::unique_ptr', ['std', 'uniqu', 'ptr', 'uniqueptr', 'stduniqueptr']],
    ['a package name', '@scope/my-name', ['scope', 'my', 'name', 'mynam', 'scopemynam']],
    ['a name with a number', 'OAuth2', ['o', 'auth', 'oauth', '2', 'oauth2']],
    ['letters behind digits', 'v1beta1', ['v1', 'beta', '1', 'beta1', 'v1beta1']],
    ['a word with lowered text', 'CO<sub>2</sub>', ['co', '2', 'co2']],
    [
      'raised text, keys and lines of a cell apart',
      '10<sup>6</sup><br>a<kbd>F1</kbd>',
      ['10', '6', 'a', 'f1'],
    ],
    ['error codes whole', 'E1001 0x80070005 0xDEADbeef', ['e1001', '0x80070005', '0xdeadbeef']],
    ['a version', '4.4.5', ['4', '4', '5', '445']],
    ['Russian stems', 'копии копия Копий', ['коп', 'коп', 'коп']],
    ['й apart from и', 'йод иод и́од', ['йод', 'иод', 'иод']],
    ['no accents', 'café', ['cafe']],
    ['compatibility forms folded', 'ﬁle', ['file']],
    ['Chinese by characters and pairs', '磁盘满', ['磁', '盘', '满', '磁盘', '盘满']],
    ['Chinese and Latin separately', '磁盘disk', ['磁', '盘', '磁盘', 'disk']],
    ['nothing in punctuation', '?! — “”', []],
    ['nothing in an empty text', '', []],
  ])('finds %s', (_, text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  it('returns only letters, digits and full-width signs, at most 64 characters each', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(searchTerms(text).filter((term) => !/^[\p{L}\p{M}\p{N}＋＃]{1,64}$/u.test(term))).toEqual([]);
      }),
    );
  });

  it('keeps a bounded number of words', () => {
    const memo: StemMemo = new Map();
    for (let i = 0; i < 120_000; i++) searchTerms(`word${i}`, memo);
    expect(memo.size).toBeLessThanOrEqual(50_000);
    expect(searchTerms('word1', memo)).toEqual(searchTerms('word1'));
  });

  it('does not keep the texts in memory whose words a memo has', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memo: StemMemo = new Map();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1_000; i++) searchTerms(`${'word '.repeat(10_000)} aLongIdentifierName${i}`, memo);
    collect();
    expect(memo.size).toBe(1_001);
    expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(10);
  });
});

describe('queryWords', () => {
  it.each<[string, string, string[]]>([
    ['lower-cased stems', 'Mounting Disks', ['mount', 'disk']],
    ['repeats', 'disk disk', ['disk', 'disk']],
    ['a snake case name whole, with its parts', 'rate_limit', ['ratelimit(rate limit)']],
    ['a camel case name whole, with its parts', 'maxRetries', ['maxretri(max retri)']],
    ['GraphQL as one word', 'GraphQL', ['graphql(graph ql)']],
    ['a flag', '--max-retries', ['maxretri(max retri)']],
    ['a command, whose parts have parts', 'Get-ChildItem', ['getchilditem(get childitem(child item))']],
    ['a dotted name', 'kb.retrieve_evidence', ['kbretrieveevid(kb retrieveevid(retriev evid))']],
    ['a C++ name', 'std::map', ['stdmap(std map)']],
    ['C++ and C# apart from C', 'C++ C# C', ['c＋＋', 'c＃', 'c']],
    ['a version', '4.4.5', ['445(4 4 5)']],
    ['a version with a letter', 'v2.0', ['v20(v2 0)']],
    ['an acronym as a plain word', 'CORS', ['cor']],
    ['words in an error message separately', 'ERR_TLS: not found', ['errtl(err tl)', 'not', 'found']],
    ['a chain of more than eight parts by its parts alone', 'a.b.c.d.e.f.g.h.i', [...'abcdefghi']],
    ['pairs alone where they cover the characters', '磁盘满', ['磁盘', '盘满']],
    ['a single character', '盘', ['盘']],
    ['Chinese and Latin separately', '磁盘disk', ['磁盘', 'disk']],
    ['nothing in punctuation', '?! — “”', []],
    ['nothing in an empty text', '', []],
  ])('finds %s', (_, text, words) => {
    expect(queryWords(text).map(spelled)).toEqual(words);
  });

  it('returns only words that are indexed for the same text', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const indexed = new Set(searchTerms(text));
        expect(
          queryWords(text)
            .flatMap(wordTerms)
            .filter((term) => !indexed.has(term)),
        ).toEqual([]);
      }),
    );
  });

  it('returns words for every text with indexed terms', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(queryWords(text).length > 0).toBe(searchTerms(text).length > 0);
      }),
    );
  });
});

describe('wordTerms', () => {
  it.each([
    ['a plain word', 'disks', ['disk']],
    ['an identifier: its parts, then itself', 'rate_limit', ['rate', 'limit', 'ratelimit']],
    ['parts of parts', 'Get-ChildItem', ['get', 'child', 'item', 'childitem', 'getchilditem']],
  ])('returns every term of %s', (_, text, terms) => {
    expect(queryWords(text).flatMap(wordTerms)).toEqual(terms);
  });
});
