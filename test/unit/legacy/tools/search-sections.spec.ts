import type { z } from 'zod';
import type { SectionIndex } from '../../../../src/core/ports/section-index.port.js';
import { encodeOffset } from '../../../../src/legacy/legacy-envelope.js';
import { legacySearchSections } from '../../../../src/legacy/tools/search-sections.js';
import { anIndex, type TestIndex } from '../../../support/an-index.js';
import { aCall, aCandidate, FixedIndex } from '../../../support/builders.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

type Args = Partial<z.input<typeof legacySearchSections.definition.input>>;

/** Found sections, `s1` the best. */
const found = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    aCandidate({ section: { id: `s${i + 1}` }, lexical: count - i, document: { path: `p${i % 3}.md` } }),
  );
const index = new FixedIndex(found(150));
const replyTo = (args: Args = {}, call = aCall(), of: SectionIndex = index) =>
  replyOf(legacySearchSections, aLegacyService(null, of), { query: 'ship', ...args }, call);
const search = async (...args: Parameters<typeof replyTo>) => (await replyTo(...args)).output;

/** The 21 keys of a row, in their order. */
const ROW_KEYS = [
  ...['section_id', 'title', 'tokens', 'doc_tag', 'score', 'rank', 'source', 'fusion_method'],
  ...['fused_score', 'title_vec_score', 'entity_vec_score', 'doc_title_sparse_score'],
  ...['lexical_vec_score', 'rerank_score', 'graph_score', 'graph_distance', 'connection_count'],
  ...['mention_count', 'entity_boost_applied', 'entity_metadata', 'rrf_field_contributions'],
];

describe('search_sections', () => {
  it('returns its keys in their order', async () => {
    const output = await search();
    expect(Object.keys(output)).toEqual([
      ...['results', 'cursor', 'next_cursor', 'session_id', 'partial', 'limit_reason', 'meta'],
    ]);
    expect(Object.keys(output.meta.usage)).toEqual([
      ...['tokens_estimate', 'bytes_returned', 'duplicates_suppressed', 'source'],
    ]);
  });

  it('returns rows of 21 keys in their order', async () => {
    expect(Object.keys((await search()).results[0] ?? {})).toEqual(ROW_KEYS);
  });

  it('returns the first seven keys without debug facts, and no metrics', async () => {
    const { results, meta } = await search({ include_debug: false });
    expect(Object.keys(results[0] ?? {})).toEqual(ROW_KEYS.slice(0, 7));
    expect(meta.usage).not.toHaveProperty('source');
  });

  it.each([
    ['a default call', {}, 25, false],
    ['top_k below the page', { top_k: 5 }, 25, false],
    ['top_k as long as the page', { top_k: 5, page_size: 5 }, 5, false],
    ['top_k above the page', { top_k: 50 }, 25, true],
    ['a page of more than 100', { page_size: 500 }, 100, false],
    ['a page of 0', { page_size: 0 }, 25, false],
    ['a page below 0', { page_size: -3, top_k: 2 }, 1, true],
    ['top_k 0', { top_k: 0 }, 25, false],
    ['top_k below 0', { top_k: -9 }, 25, false],
  ])('uses page_size, not top_k, as the number of rows for %s', async (_, input, rows, hasMore) => {
    const { results, next_cursor } = await search(input);
    expect(results).toHaveLength(rows);
    expect(next_cursor !== null).toBe(hasMore);
  });

  it('pages through the list up to top_k, with continuing ranks', async () => {
    const first = await search({ top_k: 50 });
    const second = await search({ top_k: 50, cursor: first.next_cursor });
    expect(first).toMatchObject({ cursor: null, next_cursor: 'MjU=' });
    expect(second).toMatchObject({ cursor: 'MjU=', next_cursor: null });
    expect(second.results.map(({ rank }) => rank)).toEqual(Array.from({ length: 25 }, (__, i) => 26 + i));
    expect(second.results[0]?.section_id).toBe('s26');
  });

  it.each(['%%%', 'bm90IGEgbnVtYmVy', '', 'LTU='])(
    'reads the invalid cursor %j as the beginning and echoes it',
    async (cursor) => {
      const output = await search({ cursor, page_size: 1 });
      expect(output).toMatchObject({ cursor, results: [{ rank: 1 }] });
    },
  );

  it('flags rows that exceed the token share of a search, and returns all of them', async () => {
    const output = await search();
    expect(output).toMatchObject({ partial: true, limit_reason: 'token_cap' });
    expect(output.results).toHaveLength(25);
  });

  it('reports page_size if a page has a next one', async () => {
    const output = await search({ page_size: 2 });
    expect(output).toMatchObject({ partial: true, limit_reason: 'page_size' });
  });

  it('is complete on the last page', async () => {
    const output = await search({ page_size: 2, top_k: 2 });
    expect(output).toMatchObject({ partial: false, limit_reason: 'none' });
  });

  it('reports its usage even if it exceeds its token share', async () => {
    const { results, cursor, next_cursor, meta } = await search();
    const json = JSON.stringify({ results, cursor, next_cursor });
    expect(meta.usage.bytes_returned).toBe(Buffer.byteLength(json));
    expect(meta.usage.tokens_estimate).toBeGreaterThanOrEqual(json.length / 4);
  });

  it('drops rows from the end to fit the response limit, and continues with them', async () => {
    const smaller = (await replyTo()).build({ count: 3, maxChars: 0, reason: 'byte_cap' });
    expect(smaller).toMatchObject({ partial: true, limit_reason: 'byte_cap', next_cursor: encodeOffset(3) });
    expect(smaller.results).toHaveLength(3);
  });

  it('echoes a session id', async () => {
    expect(await search({ session_id: 'mine, whatever' })).toMatchObject({ session_id: 'mine, whatever' });
  });

  it('invents a session id if none is given: the same for all calls of a session, but not its internal id', async () => {
    const [one, again] = [await search(), await search({ session_id: '' })];
    const other = await search({}, aCall({ sessionId: 'another' }));
    expect(one.session_id).toMatch(/^server-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again.session_id).toBe(one.session_id);
    expect(other.session_id).not.toBe(one.session_id);
  });

  it('reports the available signals, and null for others', async () => {
    const of = new FixedIndex([aCandidate({ score: 1.25, lexical: 7, vector: 0.5 })]);
    expect((await search({}, aCall(), of)).results).toMatchObject([
      {
        ...{ score: 1.25, fused_score: 1.25, lexical_vec_score: 7, source: 'hybrid', rank: 1 },
        ...{ title: 'Use', rerank_score: null, entity_metadata: null, entity_boost_applied: false },
      },
    ]);
  });

  it('finds nothing for a query without words', async () => {
    const output = await search({ query: '' }, aCall(), new FixedIndex([]));
    expect(output).toMatchObject({ results: [], next_cursor: null, partial: false, limit_reason: 'none' });
  });

  it('ranks up to a thousand sections of one document', async () => {
    const asked = new FixedIndex(found(3));
    await search({ top_k: 5_000 }, aCall(), asked);
    expect(asked.asked).toMatchObject([{ limit: 1_000, perDocument: 1_000 }]);
  });
});

describe('the filters of search_sections', () => {
  let docs: TestIndex;
  beforeAll(async () => {
    docs = await anIndex({
      'guides/disk.md': '# Disks\n\nA full disk stops it.\n',
      'guides/disk 2.md': '# More disks\n\nA second disk helps.\n',
      'guides/ship.md': '# Ships\n\nA ship has no disk.\n',
      'reference/api.md': '# API\n\nThe disk endpoint tells how full it is.\n',
    });
  });
  afterAll(() => docs.remove());
  const idsOf = async (filters: Args['filters']) => {
    const output = await search({ query: 'disk', filters }, aCall(), docs.index);
    return output.results.map(({ section_id }) => section_id).sort();
  };

  it.each([
    [{ doc_tag: 'reference' }, ['reference/api.md']],
    [{ doc_tag: ['reference', 'nothing'] }, ['reference/api.md']],
    [{ document_id: 'guides/disk.md' }, ['guides/disk.md']],
    [{ document_id: 'guides/disk.md#_document' }, ['guides/disk.md']],
    [{ document_id: 'guides/disk%202.md#_document' }, ['guides/disk%202.md']],
    [{ document_id: ['guides/ship.md', 'reference/api.md'] }, ['guides/ship.md', 'reference/api.md']],
    [{ document_id: 'guides/dis' }, []],
    [{ document_id: 'guides/ship.md', doc_tag: 'reference' }, []],
    [{ doc_tag: null }, ['guides/disk%202.md', 'guides/disk.md', 'guides/ship.md', 'reference/api.md']],
    [{ doc_tag: [] }, []],
    [{ document_id: [] }, []],
  ])('with %j keep the documents %j', async (filters, ids) => {
    expect(await idsOf(filters)).toEqual(ids);
  });

  it('exclude documents before ranking, so that they do not use up the result limit', async () => {
    const filters = { document_id: ['guides/ship.md', 'reference/api.md'] };
    const output = await search({ query: 'disk', filters }, aCall(), docs.index);
    expect(output.meta.usage.source).toMatchObject({ matched: 2 });
  });

  it('ignore all other filters, and report them', async () => {
    const filters = { lang: 'en', tenant: ['x'], doc_tag: 'reference' };
    const output = await search({ query: 'disk', filters }, aCall(), docs.index);
    expect(output.results).toHaveLength(1);
    expect(output.meta.usage.source).toMatchObject({ ignored_filters: ['lang', 'tenant'] });
  });

  it('match nothing outside the configured scope', async () => {
    const call = aCall({ scope: { docTags: ['reference'] } });
    const output = await search({ query: 'disk', filters: { doc_tag: 'guides' } }, call, docs.index);
    expect(output.results).toEqual([]);
  });
});
