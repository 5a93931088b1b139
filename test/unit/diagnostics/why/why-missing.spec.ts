import { type WhyFacts, whyMissing } from '../../../../src/diagnostics/why/why-missing';
import { aScope, NO_FILTER } from '../../../support/builders';
import { aHit, aList, aRetrieval, aStored, whyFacts } from '../../../support/why-facts';

const ID = 'wanted.md#here';
const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `other-${i}.md`);
const first = (parts: Partial<WhyFacts>) => whyMissing(whyFacts(parts))[0];

describe('whyMissing', () => {
  it('returns similar ids for a section that is not indexed', () => {
    const facts = { stored: null, nearest: ['wanted.md#there'], terms: { asked: ['a'], held: [] } };
    expect(whyMissing(whyFacts(facts))).toEqual([
      { cause: 'not_indexed', rank: null, of: null, listed: 0, others: ['wanted.md#there'] },
    ]);
  });

  it('names all causes that exclude a section before matching, in the order of the search', () => {
    const facts = whyFacts({
      scope: aScope({ docTags: ['api'] }),
      filter: { ...NO_FILTER, pathPrefix: 'api/' },
      terms: { asked: ['osprey'], held: [] },
    });
    expect(whyMissing(facts).map(({ cause }) => cause)).toEqual([
      'outside_scope',
      'outside_filters',
      'no_word',
    ]);
  });

  it('also recognises a repository outside the scope', () => {
    expect(first({ scope: aScope({ repositories: ['other'] }) })?.cause).toBe('outside_scope');
  });

  it('distinguishes common words from no words at all', () => {
    expect(first({ retrieval: aRetrieval([aHit('a.md')], ['a.md']) })?.cause).toBe('common_words');
  });

  it('allows for the limit of a thousand rows in an answer', () => {
    const hits = many(1_000).map((id) => aHit(id));
    expect(first({ retrieval: aRetrieval(hits, ['other-0.md']) })).toMatchObject({
      cause: 'not_compared',
      rank: null,
      of: 1_000,
      listed: 1,
    });
  });

  it('returns the lexical rank of a section that ranked too low to be compared', () => {
    const hits = [
      aHit('a.md', { lexical: 9 }),
      aHit('b.md', { lexical: 7, fate: 'below_list' }),
      aHit(ID, { lexical: 3, vector: null, fate: 'below_list' }),
      aHit('c.md', { lexical: 2, vector: null, fate: 'below_list' }),
    ];
    const expected = { cause: 'not_compared', rank: 3, of: 4, listed: 1 };
    expect(first({ retrieval: aRetrieval(hits, ['a.md']) })).toMatchObject(expected);
  });

  it('returns the rank by score of a compared section, with or without vectors', () => {
    const compared = [aHit('a.md'), aHit(ID, { fate: 'below_list' })];
    const wordsOnly = compared.map((hit) => ({ ...hit, vector: null }));
    const expected = { cause: 'below_list', rank: 2, of: 2, listed: 1 };
    expect(first({ retrieval: aRetrieval(compared, ['a.md']) })).toMatchObject(expected);
    expect(first({ retrieval: aRetrieval(wordsOnly, ['a.md']) })).toMatchObject(expected);
  });

  it('names the sections of its document that rank above it', () => {
    const hits = [
      aHit('wanted.md#top'),
      aHit('a.md'),
      aHit('wanted.md#second', { fate: 'same_document', instead: 'wanted.md#top' }),
      aHit(ID, { fate: 'same_document', instead: 'wanted.md#top' }),
      aHit('wanted.md#last'),
    ];
    const expected = { cause: 'same_document', rank: 4, of: 5, others: ['wanted.md#top'] };
    expect(first({ retrieval: aRetrieval(hits, ['wanted.md#top', 'a.md']) })).toMatchObject(expected);
  });

  it('names the section that it duplicates', () => {
    const hits = [
      aHit('v2/wanted.md#here'),
      aHit(ID, { fate: 'near_duplicate', instead: 'v2/wanted.md#here' }),
    ];
    const expected = { cause: 'near_duplicate', others: ['v2/wanted.md#here'] };
    expect(first({ retrieval: aRetrieval(hits, ['v2/wanted.md#here']) })).toMatchObject(expected);
  });

  it('uses the search in which the section got furthest', () => {
    const [low, high] = [aHit(ID, { fate: 'below_list' }), aHit(ID, { fate: 'same_document', instead: 'x' })];
    const base = aRetrieval([low], ['a.md']);
    const answers = [...base.answers, ...aRetrieval([aHit('wanted.md#x'), high], []).answers];
    expect(first({ retrieval: { ...base, answers } })?.cause).toBe('same_document');
  });

  it('returns the rank of a candidate below the list among all candidates', () => {
    const hits = [aHit('a.md'), aHit('b.md', { fate: 'near_duplicate' }), aHit('c.md'), aHit(ID)];
    const retrieval = aRetrieval(hits, ['a.md', 'c.md']);
    expect(first({ retrieval })).toMatchObject({ cause: 'below_list', rank: 3, of: 4, listed: 2 });
  });

  it('recognises a section if another part of the question lists another version of it', () => {
    const stored = aStored('v1/page.md#here', { metadata: { version: '1' } });
    const other = aStored('v2/page.md#here', { metadata: { version: '2' } });
    const list = aList('a.md');
    const shown = {
      ...list,
      collapse: { version: true },
      candidates: [{ ...list.candidates[0]!, ...other }],
    };
    const retrieval = { ...aRetrieval([aHit('v1/page.md#here')], []), rankings: [shown, aList('b.md')] };
    const facts = { sectionId: 'v1/page.md#here', stored, retrieval };
    expect(first(facts)).toMatchObject({ cause: 'near_duplicate', others: ['v2/page.md#here'] });
  });

  it.each([
    ['returned', { listed: [ID], shown: [ID] }],
    ['budget', { listed: ['a.md', ID], shown: ['a.md'] }],
    ['other_page', { listed: ['a.md'], shown: ['a.md'] }],
    ['no_quote', { listed: ['a.md'], shown: ['a.md'], answerable: { verdict: 'likely', confidence: 1 } }],
  ])('returns %s for a section in the list, with its rank', (cause, seen) => {
    const retrieval = aRetrieval([aHit('a.md'), aHit(ID)], ['a.md', ID], seen);
    expect(whyMissing(whyFacts({ retrieval }))).toMatchObject([{ cause, rank: 2, of: 2 }]);
  });

  it('ranks the lists of several parts as one list, each section once', () => {
    const base = aRetrieval([], [], { listed: [], shown: [] });
    const retrieval = { ...base, rankings: [aList('a.md', 'b.md'), aList('a.md', ID)] };
    expect(first({ retrieval })).toMatchObject({ cause: 'other_page', rank: 3, of: 3 });
  });
});
