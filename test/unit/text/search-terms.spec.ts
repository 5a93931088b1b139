import fc from 'fast-check';
import { searchTerms } from '../../../src/text/search-terms.js';

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
    ['a version', '4.4.5', ['4', '4', '5', '445']],
    ['no accents', 'café', ['cafe']],
    ['compatibility forms folded', 'ﬁle', ['file']],
    ['Chinese by characters and pairs', '磁盘满', ['磁', '盘', '满', '磁盘', '盘满']],
    ['Chinese and Latin apart', '磁盘disk', ['磁', '盘', '磁盘', 'disk']],
    ['nothing of punctuation', '?! — “”', []],
    ['nothing of nothing', '', []],
  ])('finds %s', (_, text, terms) => {
    expect(searchTerms(text)).toEqual(terms);
  });

  it('asks for pairs alone where they cover the characters', () => {
    expect(searchTerms('磁盘满', true)).toEqual(['磁盘', '盘满']);
    expect(searchTerms('盘', true)).toEqual(['盘']);
  });

  it('asks for nothing that is not indexed for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(searchTerms(text)).toEqual(expect.arrayContaining(searchTerms(text, true)));
      }),
    );
  });

  it('gives letters, digits and full-width signs only, at most 64 characters each', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'aB1_-.:+#é漢'), maxLength: 300 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(searchTerms(text).filter((term) => !/^[\p{L}\p{M}\p{N}＋＃]{1,64}$/u.test(term))).toEqual([]);
      }),
    );
  });
});
