import type { CorpusFacts } from '../../../src/core/corpus-facts.js';
import type { Candidate, SectionQuery } from '../../../src/core/ports/section-index.port.js';
import { PassageNaming } from '../../../src/scratch/passages.service.js';
import type { SearchDocsInput, SearchDocsOutput } from '../../../src/search-docs/search-docs.schemas.js';
import { SearchDocsService } from '../../../src/search-docs/search-docs.service.js';
import { aCorpus, aKey } from '../../support/a-corpus.js';
import { aCall, aCandidate, FixedIndex, SECRET } from '../../support/builders.js';

const CORPUS = aCorpus({
  taxonomy: [
    aKey({ key: 'language', values: ['go', 'java', 'python'] }),
    aKey({ key: 'scope', values: ['guide', 'sdk'] }),
  ],
});

/** An index in which every section contains every word; it applies only taxonomy filters. */
class FacetedIndex extends FixedIndex {
  constructor(
    private readonly found: readonly Candidate[],
    private readonly said: CorpusFacts = CORPUS,
  ) {
    super(found);
  }

  override async corpus(): Promise<CorpusFacts> {
    return this.said;
  }

  override async search(query: SectionQuery) {
    const { metadata = {} } = query.filter;
    const candidates = this.found.filter(({ document }) =>
      Object.entries(metadata).every(([key, value]) => document.metadata[key] === value),
    );
    return { ...(await super.search(query)), candidates: candidates.slice(0, query.limit) };
  }
}

const numbered = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, i) =>
    aCandidate({
      section: { id: `${1000 + i}.md` },
      document: { path: `${1000 + i}.md` },
      score: 9 - i / 100,
    }),
  );

function aService(found: readonly Candidate[]): SearchDocsService {
  return new SearchDocsService(
    { index: new FacetedIndex(found), graph: null },
    new PassageNaming(SECRET, 'wekadocs'),
  );
}

const ask = (overrides: Partial<SearchDocsInput> = {}): SearchDocsInput => ({
  query: 'use',
  limit: 10,
  ...overrides,
});

async function search(
  found: readonly Candidate[],
  input: Partial<SearchDocsInput> = {},
): Promise<SearchDocsOutput> {
  return (await aService(found).search(aCall(), ask(input))).output;
}

describe('SearchDocsService', () => {
  it('returns the fields of the contract for each section', async () => {
    const found = aCandidate({
      section: {
        id: 'guides/retries.md#backoff',
        title: 'Backoff',
        headingPath: ['Retries', 'Backoff'],
        text: 'Use `RateLimitError` to back off.',
      },
      document: { path: 'guides/retries.md', metadata: { language: 'go' } },
      score: 1.234567,
    });
    expect(await search([found])).toEqual({
      hits: [
        {
          chunk_id: 'guides/retries.md#backoff',
          score: 1.2346,
          heading: 'Backoff',
          breadcrumb: 'Retries > Backoff',
          snippet: 'Use `RateLimitError` to back off.',
          filepath: 'guides/retries.md',
          metadata: { language: 'go' },
        },
      ],
      next_cursor: null,
      hint: null,
    });
  });

  it('ranks by the one pipeline, within the filters', async () => {
    const index = new FacetedIndex(numbered(1));
    const service = new SearchDocsService({ index, graph: null }, new PassageNaming(SECRET, 'wekadocs'));
    await service.search(aCall(), ask({ language: 'go' }));
    expect(index.asked[0]).toMatchObject({ rankedBy: 'both', filter: { metadata: { language: 'go' } } });
  });

  it('pages through the ranked list with any page sizes, each section once', async () => {
    const service = aService(numbered(30));
    const ids: string[] = [];
    let cursor: string | undefined;
    for (const limit of [10, 7, 50]) {
      const { output } = await service.search(aCall(), ask({ limit, cursor }));
      ids.push(...output.hits.map(({ chunk_id }) => chunk_id));
      cursor = output.next_cursor ?? undefined;
    }
    expect(ids).toEqual(numbered(30).map(({ section }) => section.id));
    expect(cursor).toBeUndefined();
  });

  it('says on the last page that more sections match than the list holds', async () => {
    const service = aService(numbered(120));
    const first = await service.search(aCall(), ask({ limit: 50 }));
    const last = await service.search(
      aCall(),
      ask({ limit: 50, cursor: first.output.next_cursor ?? undefined }),
    );
    expect(first.output.hint).toBeNull();
    expect(last.output.next_cursor).toBeNull();
    expect(last.output.hint).toEqual({
      message: expect.stringContaining('100 of 120 matching sections') as string,
      suggested_filters: {},
    });
  });

  it('says how many hits are too long for one reply', async () => {
    const reply = await aService(numbered(3)).search(aCall(), ask());
    const cut = reply.build({ count: 3, maxChars: 40, reason: 'byte_cap', skipped: new Set([1]) });
    expect(cut.hint?.message).toContain('1 skipped');
  });

  it.each([
    ['the query', { query: 'other' }],
    ['a filter', { language: 'go' }],
  ])('refuses a cursor for another page list: %s differs', async (_, changed) => {
    const service = aService(numbered(30));
    const cursor = (await service.search(aCall(), ask())).output.next_cursor ?? undefined;
    await expect(service.search(aCall(), ask({ ...changed, cursor }))).rejects.toMatchObject({
      reason: 'cursor_invalid',
    });
  });

  it('refuses a cursor that was made up', async () => {
    await expect(search(numbered(3), { cursor: 'bm8' })).rejects.toMatchObject({ reason: 'cursor_invalid' });
  });

  it('continues after the last hit that fitted', async () => {
    const service = aService(numbered(30));
    const reply = await service.search(aCall(), ask());
    const shorter = reply.build({ count: 4, maxChars: reply.maxChars, reason: 'byte_cap' });
    expect(shorter.hits).toHaveLength(4);
    const next = await service.search(aCall(), ask({ cursor: shorter.next_cursor ?? undefined }));
    expect(next.output.hits[0]?.chunk_id).toBe('1004.md');
  });

  it('shortens snippets if one hit does not fit', async () => {
    const reply = await aService([aCandidate({ section: { text: 'word '.repeat(50) } })]).search(
      aCall(),
      ask(),
    );
    const [hit] = reply.build({ count: 1, maxChars: 40, reason: 'byte_cap' }).hits;
    expect(hit?.snippet.length).toBeLessThanOrEqual(40);
  });

  it('refuses unknown fields and values before it searches', async () => {
    await expect(search([], { foo: 'x' })).rejects.toMatchObject({ reason: 'unknown_field' });
    await expect(search([], { language: 'rust' })).rejects.toMatchObject({
      reason: 'invalid_taxonomy_value',
    });
  });

  describe('without results', () => {
    it('repeats no half of a surrogate pair in the hint', async () => {
      const { hint } = await search([], { query: 'half \udb44 of one' });
      expect(hint?.message).toContain("'half \ufffd of one'");
    });

    it('gives a hint without suggestions if there was no filter', async () => {
      expect(await search([])).toEqual({
        hits: [],
        next_cursor: null,
        hint: { message: expect.stringMatching(/^0 results found\./), suggested_filters: {} },
      });
    });

    it('suggests filters that were tried', async () => {
      const found = [
        aCandidate({ document: { metadata: { language: 'python', scope: 'sdk' } } }),
        aCandidate({ document: { metadata: { language: 'go', scope: 'sdk' } } }),
        aCandidate({ document: { metadata: { language: 'java', scope: 'guide' } } }),
      ];
      const { hint } = await search(found, { scope: 'sdk', language: 'java' });
      expect(hint?.message).toMatch(/^0 results found for language 'java' and scope 'sdk'\./);
      expect(hint?.suggested_filters).toEqual({ language: ['go', 'python'], scope: ['guide'] });
    });
  });
});
