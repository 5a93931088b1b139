import { planQuery } from '../../../../src/kb/search/plan-query.js';
import { resolveWords } from '../../../../src/kb/search/resolve-words.js';

/** Resolves a question in an index with these terms. @param near  corrections of misspelt terms @param forms  other forms */
function resolve(
  text: string,
  held: readonly string[],
  {
    near = {},
    forms = {},
    completions = {},
    synonyms = {},
    withAll = false,
    rewrite = true,
  }: {
    near?: Record<string, string>;
    forms?: Record<string, string>;
    completions?: Record<string, string>;
    synonyms?: Record<string, string[]>;
    withAll?: boolean;
    rewrite?: boolean;
  } = {},
) {
  const [part] = planQuery({ text, keywords: [], parts: [], rewrite }).parts;
  if (!part) throw new Error('no part');
  const lookup = {
    isHeld: (term: string) => held.includes(term),
    nearestTo: (term: string) => near[term] ?? null,
    inflectionOf: (term: string, isForeign: boolean) => (isForeign ? (forms[term] ?? null) : null),
    completionOf: (term: string) => completions[term] ?? null,
    findSynonyms: (term: string) => synonyms[term] ?? [],
  };
  return resolveWords(part.asked, lookup, withAll);
}

describe('resolveWords', () => {
  it.each<[string, string, string[], string[]]>([
    ['a plain word as itself', 'kestrel', ['kestrel'], ['kestrel']],
    ['an unknown word as itself', 'kestrel', [], ['kestrel']],
    ['an identifier in the index as itself', 'rate_limit', ['ratelimit', 'rate', 'limit'], ['ratelimit']],
    [
      'an identifier that is not in the index as its parts',
      'rate_limit',
      ['rate', 'limit'],
      ['rate', 'limit', 'ratelimit'],
    ],
    ['no number of a name that is not in the index', 'word3', ['3'], ['word', 'word3']],
    ['the number of a name in the index', 'OAuth2', ['oauth', '2'], ['oauth', '2', 'oauth2']],
    [
      'parts of parts only if needed',
      'Get-ChildItem',
      ['get', 'childitem', 'child', 'item'],
      ['get', 'childitem', 'getchilditem'],
    ],
    [
      'a path as itself and its parts',
      'kb.search',
      ['kbsearch', 'kb', 'search'],
      ['kb', 'search', 'kbsearch'],
    ],
    [
      'the parts of a path as identifiers',
      'std::unique_ptr',
      ['stduniqueptr', 'std', 'uniqueptr', 'ptr'],
      ['std', 'uniqueptr', 'stduniqueptr'],
    ],
    ['a version in the index as itself', '4.4.5', ['445', '4', '5'], ['445']],
    ['two words as two words', 'max retries', ['max', 'retri', 'maxretri'], ['max', 'retri']],
    ['each term once', 'rate rate_limit', ['rate', 'limit'], ['rate', 'limit', 'ratelimit']],
  ])('reads %s', (_, text, held, terms) => {
    expect(resolve(text, held).terms).toEqual(terms);
  });

  it('adds the parts of identifiers on request', () => {
    const { terms } = resolve('Get-ChildItem', ['getchilditem'], { withAll: true });
    expect(terms).toEqual(['get', 'child', 'item', 'childitem', 'getchilditem']);
  });

  it('adds two words as one on request, if a section contains that', () => {
    const held = ['max', 'retri', 'maxretri'];
    expect(resolve('max retries limit', held, { withAll: true }).terms).toEqual([
      'max',
      'retri',
      'limit',
      'maxretri',
    ]);
  });

  it.each<[string, string, string[], boolean]>([
    ['a plain word', 'kestrel', ['kestrel'], false],
    ['an identifier in the index', 'rate_limit', ['ratelimit'], true],
    ['an identifier that is not in the index', 'rate_limit', ['rate'], false],
    ['an identifier with a part in the index', 'Get-ChildItem', ['childitem'], true],
    ['two words that a section writes as one', 'max retries', ['max', 'maxretri'], true],
    ['two words that no section writes as one', 'max retries', ['max'], false],
  ])('reports whether other spellings were left out: %s', (_, text, held, leftOut) => {
    expect(resolve(text, held).leftOut).toBe(leftOut);
  });

  const near = { kestel: 'kestrel', kestrel: 'kestrels', limitt: 'limit', hashjoin: 'hashjoins' };

  it.each<[string, string, string[], string[]]>([
    ['a misspelt word', 'kestel', ['kestrel'], ['kestrel']],
    ['no word that is in a section', 'kestrel', ['kestrel'], ['kestrel']],
    ['no quoted word', '"kestel"', [], ['kestel']],
    ['no word in backticks', '`kestel`', [], ['kestel']],
    ['no part of an identifier', 'rate_limitt', ['rate'], ['rate', 'limitt', 'ratelimitt']],
    ['no part of a path', '/etc/kestel', ['etc'], ['etc', 'kestel']],
    ['no identifier', 'hashJoin', ['hash'], ['hash', 'join', 'hashjoin']],
  ])('corrects %s', (_, text, held, terms) => {
    expect(resolve(text, held, { near }).terms).toEqual(terms);
  });

  it('reports its corrections', () => {
    expect(resolve('kestel', [], { near }).rewrites).toEqual([
      { from: 'kestel', to: 'kestrel', why: 'misspelt' },
    ]);
    expect(resolve('kestrel', ['kestrel'], { near }).rewrites).toEqual([]);
  });

  describe('with synonyms', () => {
    const synonyms = { login: ['sign', 'authent'] };

    it('replaces a word that no section contains by those that a section contains', () => {
      const { terms, rewrites } = resolve('login', ['sign', 'other'], { synonyms, near: { login: 'logic' } });
      expect(terms).toEqual(['sign']);
      expect(rewrites).toEqual([{ from: 'login', to: 'sign', why: 'synonym' }]);
    });

    it.each<[string, string[], boolean]>([
      ['a section contains the word', ['login', 'sign'], true],
      ['no section contains a synonym', [], true],
      ['the caller wants no other words', ['sign'], false],
    ])('keeps the word if %s', (_, held, rewrite) => {
      expect(resolve('login', held, { synonyms, rewrite })).toMatchObject({ terms: ['login'], rewrites: [] });
    });
  });

  it('looks for another form of an unknown word of another language before it corrects the word', () => {
    const [forms, nearby] = [{ rechnung: 'rechnungen' }, { rechnung: 'rechung', kassen: 'kassel' }];
    const { terms, rewrites } = resolve('Wo ist die Rechnung der Kassen?', [], { forms, near: nearby });
    expect(terms).toEqual(['rechnungen', 'kassel']);
    expect(rewrites).toEqual([
      { from: 'rechnung', to: 'rechnungen', why: 'inflected' },
      { from: 'kassen', to: 'kassel', why: 'misspelt' },
    ]);
    expect(resolve('the Rechnung', [], { forms }).terms).toEqual(['rechnung']);
    expect(resolve('die Rechnung', ['rechnung'], { forms }).terms).toEqual(['rechnung']);
  });

  it('keeps one copy of a word that is given both correct and misspelt', () => {
    expect(resolve('kestrel kestel', ['kestrel'], { near }).terms).toEqual(['kestrel']);
  });

  it('completes a word that is the whole question, but none within a question', () => {
    const completions = { moor: 'mooring' };
    const rewrite = { from: 'moor', to: 'mooring', why: 'prefix' };
    expect(resolve('moor', ['mooring'], { completions }).rewrites).toEqual([rewrite]);
    expect(resolve('moor harbour', ['mooring', 'harbour'], { completions }).rewrites).toEqual([]);
  });

  it('knows irregular plurals and numeronyms', () => {
    expect(resolve('vertex', ['vertic']).terms).toEqual(['vertic']);
    expect(resolve('how is k8s run', ['kubernet', 'run']).terms).toContain('kubernet');
    expect(resolve('vertex', ['vertic', 'vertex']).terms).toEqual(['vertex']);
  });
});
