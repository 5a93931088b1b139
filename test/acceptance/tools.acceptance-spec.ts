import { appendFileSync, cpSync } from 'node:fs';
import { failureOf } from '../support/failures.js';
import type { CallResult } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SENTENCE = 'after twelve hours without a sign of life';
/** Matches most sections of the corpus. */
const BROAD = {
  query: 'ship berth harbour',
  keywords: ['token', 'database', 'port', 'waiting'],
  options: { max_per_doc: 10 },
};

interface SearchResult {
  readonly passage_id: string;
  readonly section_id: string;
  readonly rank: number;
}

interface SearchPage {
  readonly results: SearchResult[];
  readonly next_cursor: string | null;
  readonly partial: boolean;
  readonly limit_reason: string;
}

const pageOf = (result: CallResult) => result.structuredContent as unknown as SearchPage;
const textOf = (result: CallResult) => result.content.map((block) => block.text).join('\n');

let site: Site;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  site = await openSite(index);
});

afterAll(async () => {
  await site.stop();
  folder.remove();
});

describe.each(TRANSPORTS)('every tool, called by a %s client over %s', (era, transport) => {
  const call = (name: string, args?: Record<string, unknown>) => site.client(era, transport).call(name, args);

  async function passageOf(query: string): Promise<string> {
    const [first] = pageOf(await call('kb.search', { query })).results;
    return String(first?.passage_id);
  }

  it('has an input schema, an output schema, annotations and a description', async () => {
    const tools = await site.client(era, transport).listTools();
    expect(tools).toHaveLength(16);
    expect(tools).toEqual(
      tools.map(({ name }) =>
        expect.objectContaining({
          title: expect.stringMatching(/\S/),
          description: expect.stringMatching(
            // Tools of the search_docs contract have its output schema.
            /Use when.*Do not use when.*Returns.*If you need more.*Defaults|Use this to find|You can optionally/s,
          ),
          inputSchema: expect.objectContaining({ type: 'object', properties: expect.any(Object) }),
          outputSchema: expect.objectContaining({ type: 'object' }),
          annotations: expect.objectContaining({
            readOnlyHint: true,
            destructiveHint: false,
            // A repeated call returns the text after that of the call before.
            idempotentHint: name !== 'kb.expand_excerpt',
            openWorldHint: false,
          }),
        }),
      ),
    );
  });

  it('kb.search lists candidates with previews, and its text suffices for the next call', async () => {
    const result = await call('kb.search', { query: 'How do ships leave the waiting list?' });
    expect(pageOf(result).results[0]).toEqual({
      passage_id: expect.stringMatching(/^[\w-]{22,}$/),
      section_id: 'guides/waiting-list.mdx#leaving-the-list',
      doc_tag: 'guide',
      title: expect.stringContaining('Leaving the list'),
      rank: 1,
      score: expect.any(Number),
      source: expect.stringMatching(/^(?:reranked|rrf_fusion|graph_expanded|vector|bm25|hybrid)$/),
      preview: expect.stringContaining(SENTENCE),
      scratch_uri: expect.stringMatching(/^wekadocs:\/\/scratch\/[\w-]+\/[\w-]+$/),
      size_bytes: 115,
      anchor: 'leaving-the-list',
    });
    expect(textOf(result)).toContain('guides/waiting-list.mdx#leaving-the-list');
    expect(textOf(result)).toContain(SENTENCE);
    expect(textOf(result)).toContain(String(pageOf(result).results[0]?.passage_id));
  });

  it('kb.search lists at most five sections by default, one per document', async () => {
    const { results } = pageOf(await call('kb.search', { query: BROAD.query, keywords: BROAD.keywords }));
    const documents = results.map(({ section_id }) => section_id.replace(/#.*/, ''));
    expect(documents).toHaveLength(5);
    expect(new Set(documents).size).toBe(5);
  });

  it('kb.search limits previews to max_snippet_chars and returns scores only on request', async () => {
    const args = { query: 'ship', options: { max_snippet_chars: 60, include_scores: true } };
    const results = (await call('kb.search', args)).structuredContent?.['results'] as {
      preview: string;
      scores: object;
    }[];
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ preview }) => preview.length > 60)).toEqual([]);
    expect(results[0]?.scores).toEqual({ bm25: expect.any(Number) });
  });

  it('kb.search reports an empty result, which is not an error', async () => {
    const result = await call('kb.search', { query: 'xylophone' });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({ results: [], next_cursor: null, partial: false });
    expect(textOf(result)).toMatch(/\S/);
  });

  it('scope.describe lists every document, and get_doc reads each completely in pieces', async () => {
    const listed: { path: string; title: string }[] = [];
    for (let cursor: unknown = undefined; cursor !== null;) {
      const page = await call('scope.describe', { documents: 3, ...(cursor ? { cursor } : {}) });
      listed.push(...(page.structuredContent?.['listed'] as typeof listed));
      cursor = page.structuredContent?.['next_cursor'] ?? null;
    }
    const { documents, sections } = (await call('scope.describe')).structuredContent ?? {};
    expect(listed).toHaveLength(Number(documents));
    expect(listed.filter(({ title }) => title === '')).toEqual([]);
    const read = new Set<string>();
    for (const { path } of listed) {
      for (let at = 0, total = 1, id = path; at < total;) {
        const { structuredContent } = await call('get_doc', { chunk_id: id, context: 5 });
        const chunks = structuredContent?.['chunks'] as {
          chunk_id: string;
          position: number;
          total: number;
        }[];
        chunks.forEach(({ chunk_id }) => read.add(chunk_id));
        const last = chunks.at(-1);
        expect(Number(last?.position)).toBeGreaterThan(at);
        [at, total, id] = [last?.position ?? 0, last?.total ?? 0, last?.chunk_id ?? ''];
      }
    }
    expect(read.size).toBe(Number(sections));
  });

  it('kb.read_excerpt reads a passage in steps that join without a gap', async () => {
    const passage_id = await passageOf('set-up fails: firewall lets port 5432 through');
    const first = await call('kb.read_excerpt', { passage_id, max_tokens: 16 });
    const { next_start_char } = first.structuredContent as { next_start_char: number };
    const rest = await call('kb.read_excerpt', { passage_id, start_char: next_start_char });
    const whole = await call('kb.read_excerpt', { passage_id });
    expect(first.structuredContent).toMatchObject({
      truncated: true,
      start_char: 0,
      end_char: next_start_char,
    });
    expect(rest.structuredContent).toMatchObject({ truncated: false, next_start_char: null });
    expect(`${first.structuredContent?.['excerpt']}${rest.structuredContent?.['excerpt']}`).toBe(
      whole.structuredContent?.['excerpt'],
    );
    expect(textOf(first)).toContain(String(first.structuredContent?.['excerpt']));
    expect(textOf(first)).toContain(String(next_start_char));
  });

  it('kb.read_excerpt cites its source', async () => {
    const passage_id = await passageOf('leave the waiting list');
    const { structuredContent } = await call('kb.read_excerpt', { passage_id });
    expect(structuredContent).toMatchObject({
      passage_id,
      excerpt: expect.stringContaining(SENTENCE),
      citation: {
        section_id: 'guides/waiting-list.mdx#leaving-the-list',
        doc_tag: 'guide',
        title: expect.stringContaining('Leaving the list'),
        uri: expect.stringMatching(new RegExp(`^wekadocs://scratch/[\\w-]+/${passage_id}$`)),
      },
    });
  });

  it('kb.read_excerpt puts one span on each line as bullets, and leaves the citation out', async () => {
    const passage_id = await passageOf('tanker served before a freighter');
    const options = { format: 'bullets', include_citation: false };
    const { structuredContent } = await call('kb.read_excerpt', { passage_id, options });
    expect(structuredContent?.['excerpt']).toBe(
      '- A tanker is always served before a freighter.\n' +
        '- Two ships of one kind are served in the order in which they announced themselves.',
    );
    expect(structuredContent).not.toHaveProperty('citation');
  });

  it('kb.expand_excerpt widens the last excerpt, within the section', async () => {
    const passage_id = await passageOf('set-up fails: firewall lets port 5432 through');
    const seen = await call('kb.read_excerpt', { passage_id, start_char: 40, max_tokens: 16 });
    const wider = await call('kb.expand_excerpt', { passage_id, before_tokens: 20, after_tokens: 20 });
    const [from, to] = [seen.structuredContent?.['start_char'], seen.structuredContent?.['end_char']];
    expect(Number(wider.structuredContent?.['start_char'])).toBeLessThan(Number(from));
    expect(Number(wider.structuredContent?.['end_char'])).toBeGreaterThan(Number(to));
    expect(wider.structuredContent?.['excerpt']).toContain(seen.structuredContent?.['excerpt']);
    expect(textOf(wider)).toContain(String(wider.structuredContent?.['excerpt']));
  });

  it('kb.expand_excerpt accepts a window from the caller', async () => {
    const passage_id = await passageOf('leave the waiting list');
    const args = { passage_id, start_char: 10, end_char: 20, before_tokens: 0, after_tokens: 0 };
    const { structuredContent } = await call('kb.expand_excerpt', args);
    expect(structuredContent).toMatchObject({ excerpt: 'ves the wa', start_char: 10, end_char: 20 });
  });

  it('kb.extract_evidence quotes only the given passages', async () => {
    const passage_ids = [await passageOf('leave the waiting list'), await passageOf('glossary roads')];
    const question = 'When does a ship leave the waiting list?';
    const result = await call('kb.extract_evidence', { question, passage_ids, max_quotes: 1 });
    expect(result.structuredContent).toMatchObject({
      quotes: [
        {
          quote: expect.stringContaining(SENTENCE),
          passage_id: passage_ids[0],
          section_id: 'guides/waiting-list.mdx#leaving-the-list',
          title: expect.any(String),
          uri: expect.stringContaining(String(passage_ids[0])),
          confidence: expect.any(Number),
        },
      ],
    });
    expect(textOf(result)).toContain(SENTENCE);
  });

  it('kb.retrieve_evidence answers in one call, with quotes that are slices of their sections', async () => {
    const question = 'When does a ship leave the waiting list?';
    const result = await call('kb.retrieve_evidence', { question, keywords: ['sign of life'] });
    const { quotes, sources } = result.structuredContent as {
      quotes: {
        quote: string;
        passage_id: string;
        section_id: string;
        start_char: number;
      }[];
      sources: { section_id: string }[];
    };
    const [best] = quotes;
    const slice = {
      start_char: best?.start_char,
      end_char: (best?.start_char ?? 0) + (best?.quote.length ?? 0),
      before_tokens: 0,
      after_tokens: 0,
    };
    const read = await call('kb.expand_excerpt', { passage_id: best?.passage_id, ...slice });
    expect(best).toMatchObject({ quote: expect.stringContaining(SENTENCE) });
    expect(read.structuredContent?.['excerpt']).toBe(best?.quote);
    expect(result.structuredContent).toMatchObject({ answerable: 'likely' });
    expect(sources.map(({ section_id }) => section_id)).toEqual([
      ...new Set(quotes.map(({ section_id }) => section_id)),
    ]);
    expect(textOf(result)).toContain(best?.quote);
    expect(textOf(result)).toContain('guides/waiting-list.mdx#leaving-the-list');
  });

  it('kb.retrieve_evidence accepts parts, filters and limits', async () => {
    const result = await call('kb.retrieve_evidence', {
      question: 'What are the limits and when is the office open?',
      parts: ['How many ships a minute may be announced?', 'When is the office closed?'],
      max_quotes: 2,
      max_quote_tokens: 30,
      include_context_tokens: 0,
      filters: { doc_tag: ['reference'], path_prefix: 'reference/', updated_after: '2020-01-01' },
      options: { max_per_doc: 1, include_debug: true },
    });
    const quotes = result.structuredContent?.['quotes'] as { section_id: string }[];
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.length).toBeLessThanOrEqual(2);
    expect(quotes.filter(({ section_id }) => !section_id.startsWith('reference/'))).toEqual([]);
  });

  it('kb.retrieve_evidence reports that the documents contain no answer', async () => {
    const result = await call('kb.retrieve_evidence', { question: 'xylophone zeppelin?' });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({
      answerable: 'unlikely',
      quotes: [],
      hint: expect.stringMatching(/\S/),
    });
    expect(textOf(result)).toContain(String(result.structuredContent?.['hint']));
  });

  it('scope.describe reports the visible documents', async () => {
    const result = await call('scope.describe');
    expect(result.structuredContent).toMatchObject({
      project_id: 'harbour',
      environment: 'dev',
      doc_tags: expect.arrayContaining([{ name: 'guide', documents: 3, sections: expect.any(Number) }]),
      repositories: [{ name: 'harbour-docs', documents: 7, sections: expect.any(Number) }],
      documents: 7,
      indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      index_bytes: expect.any(Number),
      engines: ['sqlite'],
    });
    expect(textOf(result)).toContain('harbour');
    expect(textOf(result)).toContain('guide');
  });

  it('scope.describe counts only documents within a narrower scope', async () => {
    const { structuredContent } = await call('scope.describe', { scope: { doc_tags: ['guide'] } });
    expect(structuredContent).toMatchObject({
      documents: 3,
      doc_tags: [expect.objectContaining({ name: 'guide', documents: 3 })],
    });
  });

  it('scratch.list lists the passages of this session', async () => {
    const passage_id = await passageOf('leave the waiting list');
    const result = await call('scratch.list');
    expect(result.structuredContent?.['passages']).toContainEqual({
      passage_id,
      section_id: 'guides/waiting-list.mdx#leaving-the-list',
      title: expect.stringContaining('Leaving the list'),
      size_bytes: 115,
      expires_in_s: expect.any(Number),
    });
    expect(textOf(result)).toContain(passage_id);
  });

  it.each([
    ['kb.search', { query: 'ship' }],
    ['kb.retrieve_evidence', { question: 'When does a ship leave the waiting list?' }],
    ['scope.describe', {}],
    ['scratch.list', {}],
  ])(
    '%s returns the call id, the schema version, and text no longer than the structured content',
    async (name, args) => {
      const result = await call(name, args);
      expect(result._meta).toMatchObject({
        'pith/tool_call_id': expect.stringMatching(/^[\w-]{8,}$/),
        'pith/schema_version': 1,
      });
      expect(textOf(result).length).toBeLessThanOrEqual(JSON.stringify(result.structuredContent).length);
      expect(textOf(result)).not.toMatch(/^[{[]"/);
    },
  );

  it.each([
    ['kb_search', { query: 'ship' }],
    ['kb_retrieve_evidence', { question: 'ship?' }],
    ['scope_describe', {}],
    ['scratch_list', {}],
  ])('can be called by its underscore name, too: %s', async (name, args) => {
    expect((await call(name, args)).isError).toBeUndefined();
  });

  it('gives the same answer to the same question', async () => {
    const [first, second] = [await call('kb.search', BROAD), await call('kb.search', BROAD)];
    expect({ ...second.structuredContent, diagnostic_id: '' }).toEqual({
      ...first.structuredContent,
      diagnostic_id: '',
    });
    expect(second.content).toEqual(first.content);
    expect(second._meta?.['pith/tool_call_id']).not.toBe(first._meta?.['pith/tool_call_id']);
  });
});

describe.each(TRANSPORTS)('paging, by a %s client over %s', (era, transport) => {
  const search = (args: Record<string, unknown>) => site.client(era, transport).call('kb.search', args);

  async function walk(args: Record<string, unknown>): Promise<SearchPage[]> {
    const pages = [pageOf(await search(args))];
    for (let next = pages[0]?.next_cursor; next; next = pages.at(-1)?.next_cursor) {
      pages.push(pageOf(await search({ ...args, cursor: next })));
    }
    return pages;
  }

  it('returns the ranked list of top_k once, in order', async () => {
    const whole = pageOf(await search({ ...BROAD, top_k: 11, page_size: 50 }));
    const pages = await walk({ ...BROAD, top_k: 11, page_size: 4 });
    const results = pages.flatMap((page) => page.results);
    expect(pages.map((page) => page.results.length)).toEqual([4, 4, 3]);
    expect(results).toEqual(whole.results);
    expect(results.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(new Set(results.map(({ section_id }) => section_id)).size).toBe(11);
  });

  it('gives the reason for a partial page, and none for the last one', async () => {
    const pages = await walk({ ...BROAD, top_k: 6, page_size: 4 });
    expect(pages).toEqual([
      expect.objectContaining({ partial: true, limit_reason: 'page_size', next_cursor: expect.any(String) }),
      expect.objectContaining({ partial: false, limit_reason: 'none', next_cursor: null }),
    ]);
  });

  it.each([
    ['forged', (cursor: string) => `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`, {}],
    ['cut', (cursor: string) => cursor.slice(0, 20), {}],
    ['no cursor at all', () => 'not a cursor: é\u0000', {}],
    ["of another server's making", () => Buffer.from('4.a.b.c').toString('base64url'), {}],
    ['of another query', (cursor: string) => cursor, { query: 'tanker' }],
    ['of other keywords', (cursor: string) => cursor, { keywords: [] }],
    ['of another filter', (cursor: string) => cursor, { filters: { doc_tag: ['guide'] } }],
    ['of another scope', (cursor: string) => cursor, { scope: { doc_tags: ['guide'] } }],
    ['of other options', (cursor: string) => cursor, { options: { max_per_doc: 9 } }],
    ['of another top_k', (cursor: string) => cursor, { top_k: 12 }],
  ])('rejects a cursor that is %s', async (_, change, other) => {
    const args = { ...BROAD, top_k: 11, page_size: 4 };
    const cursor = change(String(pageOf(await search(args)).next_cursor));
    expect(failureOf(await search({ ...args, ...other, cursor }))).toEqual({
      code: 'INVALID_ARGUMENT',
      reason: 'cursor_invalid',
    });
  });
});

describe('a cursor of an earlier generation', () => {
  const corpus = folder.file('changed corpus');
  const changing = folder.file('changing.sqlite');
  let own: Site;

  beforeAll(async () => {
    cpSync(FIXTURE_CORPUS, corpus, { recursive: true });
    await pithIndex(corpus, changing);
    own = await openSite(changing);
  });

  afterAll(() => own.stop());

  it('is stale over both transports, which answer from the new generation at once', async () => {
    const clients = TRANSPORTS.map(([era, transport]) => own.client(era, transport));
    const args = { ...BROAD, page_size: 2 };
    const before = await Promise.all(clients.map((client) => client.call('kb.search', args)));
    appendFileSync(`${corpus}/reference/glossary.txt`, '\nBollard: a short post to tie ships to.\n');
    await pithIndex(corpus, changing);
    const cursors = before.map((result) => pageOf(result).next_cursor);
    const stale = await Promise.all(
      clients.map((client, i) => client.call('kb.search', { ...args, cursor: cursors[i] })),
    );
    const fresh = await Promise.all(clients.map((client) => client.call('kb.search', { query: 'bollard' })));
    const refused = { code: 'INVALID_ARGUMENT', reason: 'cursor_stale' };
    expect(stale.map(failureOf)).toEqual([refused, refused, refused, refused]);
    expect(fresh.map((result) => pageOf(result).results[0]?.section_id)).toEqual(
      TRANSPORTS.map(() => 'reference/glossary.txt'),
    );
  });
});
