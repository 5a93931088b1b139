import type { SearchInput } from '../../../../src/kb/search.schemas.js';
import { SearchService } from '../../../../src/kb/search/search.service.js';
import { searchTool } from '../../../../src/kb/tools/search.tool.js';
import { PassageNaming } from '../../../../src/scratch/passages.service.js';
import { anIndex, type TestIndex } from '../../../support/an-index.js';
import { aCall, FixedIndex, SECRET } from '../../../support/builders.js';
import { somePassages } from '../../../support/some-passages.js';

const FILES = {
  'guides/disk.md':
    '# Disks\n\nHarbour keeps files. A full disk stops it.\n\n## Mount\n\nMount the disk with `mount`.\n',
  'guides/ship.md': '# Ships\n\nA ship lies at a berth. A ship has no disk.\n',
  'reference/api.md': '# API\n\nThe disk endpoint tells how full the disk is.\n',
  'reference/port.md': '# Ports\n\nThe port is 8443.\n',
};
/** A document with this number of sections, each with one sentence. */
const sections = (count: number, sentence: string): string =>
  Array.from({ length: count }, (_, i) => `## Part ${i}\n\n${sentence}\n`).join('\n');
const SCOPE = { projectId: 'docs', environment: 'prod' };

let docs: TestIndex;
beforeAll(async () => {
  docs = await anIndex(FILES);
});
afterAll(() => docs.remove());

type Asked = Partial<Omit<SearchInput, 'options'>> & { readonly options?: Partial<SearchInput['options']> };
const anInput = ({ options, ...asked }: Asked = {}): SearchInput =>
  searchTool.input.parse({ query: 'disk', options: { max_per_doc: 1, ...options }, ...asked });
const service = (index = docs.index, passages = somePassages()) =>
  new SearchService({ index, graph: null }, passages, new PassageNaming(SECRET, 'wekadocs'));
const search = async (overrides: Asked = {}, call = aCall({ scope: SCOPE })) =>
  (await service().search(call, anInput(overrides))).output;
const idsOf = async (overrides: Asked = {}, call = aCall({ scope: SCOPE })) =>
  (await search(overrides, call)).results.map(({ section_id }) => section_id);

describe('search', () => {
  it('returns the fields of the contract and no others', async () => {
    const { results, ...rest } = await search({ query: 'port 8443' });
    expect(rest).toEqual({
      next_cursor: null,
      partial: false,
      limit_reason: 'none',
      session_id: 'session',
      diagnostic_id: 'call-1',
    });
    expect(results).toEqual([
      {
        passage_id: expect.stringMatching(/^[\w-]{22,}$/),
        section_id: 'reference/port.md',
        doc_tag: 'reference',
        title: 'Ports',
        rank: 1,
        score: expect.any(Number),
        source: 'bm25',
        preview: 'The port is 8443.',
        scratch_uri: `wekadocs://scratch/session/${results[0]?.passage_id}`,
        size_bytes: 17,
        anchor: 'ports',
      },
    ]);
  });

  it('lists one section of each document', async () => {
    const paths = (await idsOf()).map((id) => id.split('#')[0]).sort();
    expect(paths).toEqual(['guides/disk.md', 'guides/ship.md', 'reference/api.md']);
  });

  it('lists the requested number of sections per document', async () => {
    expect((await idsOf({ options: { max_per_doc: 2 } })).sort()).toEqual([
      'guides/disk.md#_preamble',
      'guides/disk.md#mount',
      'guides/ship.md',
      'reference/api.md',
    ]);
  });

  it('shows the matching sentence, not the beginning of the section', async () => {
    const { results } = await search({ query: 'full disk stops' });
    expect(results[0]?.preview).toBe('A full disk stops it.');
  });

  it('names a section by its headings from the top down', async () => {
    expect((await search({ query: 'mount' })).results[0]?.title).toBe('Disks > Mount');
  });

  it('ranks from 1, with scores of at most four places that never rise', async () => {
    const { results } = await search();
    const scores = results.map(({ score }) => score);
    expect(results.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores).toEqual(scores.map((score) => Number(score.toFixed(4))));
  });

  it('never lists more than top_k, over all pages', async () => {
    expect(await search({ top_k: 2, page_size: 2 })).toMatchObject({
      results: [{}, {}],
      next_cursor: null,
      partial: false,
    });
  });

  it('pages through the list with the cursor', async () => {
    const whole = await idsOf();
    const first = await search({ page_size: 2 });
    const second = await search({ page_size: 2, cursor: first.next_cursor });
    expect(first).toMatchObject({ partial: true, limit_reason: 'page_size' });
    expect(second).toMatchObject({
      partial: false,
      limit_reason: 'none',
      next_cursor: null,
      results: [{ rank: 3 }],
    });
    expect([...first.results, ...second.results].map(({ section_id }) => section_id)).toEqual(whole);
  });

  it('accepts another page size with the same cursor', async () => {
    const { next_cursor } = await search({ page_size: 1 });
    expect((await search({ page_size: 5, cursor: next_cursor })).results.map(({ rank }) => rank)).toEqual([
      2, 3,
    ]);
  });

  it.each<[string, Asked]>([
    ['another query', { query: 'ship' }],
    ['other keywords', { keywords: ['ship'] }],
    ['other filters', { filters: { path_prefix: 'guides' } }],
    ['another top_k', { top_k: 3 }],
    ['other options', { options: { max_per_doc: 2 } }],
  ])('refuses a cursor of %s', async (_, other) => {
    const { next_cursor } = await search({ page_size: 1 });
    await expect(search({ ...other, page_size: 1, cursor: next_cursor })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'cursor_invalid',
    });
  });

  it('refuses a cursor of another scope', async () => {
    const { next_cursor } = await search({ page_size: 1 });
    const narrower = aCall({ scope: { ...SCOPE, docTags: ['guides'] } });
    await expect(search({ page_size: 1, cursor: next_cursor }, narrower)).rejects.toMatchObject({
      reason: 'cursor_invalid',
    });
  });

  it('refuses a cursor once the index has changed', async () => {
    const own = await anIndex(FILES);
    const { output } = await service(own.index).search(aCall(), anInput({ page_size: 1 }));
    await own.change({ 'new.md': 'A new disk.' });
    const again = service(own.index).search(aCall(), anInput({ page_size: 1, cursor: output.next_cursor }));
    await expect(again).rejects.toMatchObject({ reason: 'cursor_stale' });
    await own.remove();
  });

  it.each<[string, Asked, string[]]>([
    ['doc tags', { filters: { doc_tag: ['reference'] } }, ['reference/api.md']],
    ['a path', { filters: { path_prefix: 'guides/s' } }, ['guides/ship.md']],
    ['an age', { filters: { updated_after: '2999-01-01T00:00:00.000Z' } }, []],
  ])('filters by %s', async (_, input, ids) => {
    expect(await idsOf(input)).toEqual(ids);
  });

  it('returns nothing outside the scope', async () => {
    expect(await idsOf({}, aCall({ scope: { ...SCOPE, docTags: ['reference'] } }))).toEqual([
      'reference/api.md',
    ]);
    expect(await idsOf({}, aCall({ scope: { ...SCOPE, repositories: ['other'] } }))).toEqual([]);
  });

  it('finds a section that contains only a keyword', async () => {
    expect(await idsOf({ query: 'vessel', keywords: ['ship'] })).toEqual(['guides/ship.md']);
  });

  it('lists other documents even if one of them fills the head of the ranking', async () => {
    const own = await anIndex({
      'all.md': sections(40, 'The zebra harbour, zebra harbour.'),
      'a.md': sections(100, 'A harbour.'),
      'b.md': sections(100, 'Boats moor at the harbour by night.'),
      'rest.md': sections(400, 'Nothing.'),
    });
    const { output } = await service(own.index).search(aCall(), anInput({ query: 'zebra harbour' }));
    expect(output.results).toMatchObject([{ doc_tag: 'all' }, { doc_tag: 'a' }, { doc_tag: 'b' }]);
    await own.remove();
  });

  it('lists one of several sections with the same text', async () => {
    const said = '# Berths\n\nThe harbour master writes the name of every ship into the book.\n';
    const own = await anIndex({ 'a.md': said, 'b.md': said });
    const call = aCall();
    const { output } = await service(own.index).search(call, anInput({ query: 'harbour master' }));
    expect(output.results).toHaveLength(1);
    expect(call.trace.drops).toMatchObject({ near_duplicate: 1 });
    await own.remove();
  });

  it('corrects a misspelt word and reports it, unless rewriting is off', async () => {
    const found = await search({ query: 'harbuor', options: { include_debug: true } });
    expect(found.results).toMatchObject([{ section_id: 'guides/disk.md#_preamble' }]);
    expect(found.debug).toMatchObject({ rewrites: [{ from: 'harbuor', to: 'harbour', why: 'misspelt' }] });
    expect(await idsOf({ query: 'harbuor', options: { rewrite: false } })).toEqual([]);
  });

  it('gives a hint if nothing was found', async () => {
    const found = await search({ query: 'zzz' });
    expect(found).toMatchObject({ results: [], next_cursor: null, partial: false, hint: expect.any(String) });
  });

  it('adds scores per signal and debug facts on request', async () => {
    const { results, debug } = await search({ options: { include_scores: true, include_debug: true } });
    expect(results[0]?.scores).toEqual({ bm25: expect.any(Number) });
    expect(debug).toMatchObject({ terms: ['disk'], rewrites: [], matched: 4, dropped: { same_document: 1 } });
  });

  it('says that a smaller reply leaves out debug facts', async () => {
    const input = anInput({ options: { include_debug: true } });
    const { build, count, maxChars } = await service().search(aCall({ scope: SCOPE }), input);
    const cut = build({ count, maxChars, reason: 'byte_cap' });
    expect(cut).toMatchObject({ hint: 'Left out to fit one reply: debug.' });
    expect(cut).not.toHaveProperty('debug');
  });

  it('reports that the graph did not answer', async () => {
    expect(await search({ options: { mode: 'hybrid_local' } })).toMatchObject({
      degraded: ['graph'],
      results: [{}, {}, {}],
    });
  });

  it('stores the whole section for the caller', async () => {
    const passages = somePassages();
    const call = aCall({ scope: SCOPE });
    const { output } = await service(docs.index, passages).search(
      call,
      anInput({ query: 'full disk stops' }),
    );
    const { passage } = await passages.read(call, output.results[0]?.passage_id ?? '');
    expect(passage.text).toBe('Harbour keeps files. A full disk stops it.');
    expect(passage.text.slice(passage.window.start, passage.window.end)).toBe('A full disk stops it.');
  });

  it('gives the same answer to the same call', async () => {
    expect(await search()).toEqual(await search());
  });

  it('drops the lowest-ranked result first if it is over budget, and continues there', async () => {
    const reply = await service().search(aCall({ scope: SCOPE }), anInput());
    const smaller = reply.build({ ...reply, count: reply.count - 1, reason: 'byte_cap' });
    expect(smaller).toMatchObject({
      results: [{ rank: 1 }, { rank: 2 }],
      partial: true,
      limit_reason: 'byte_cap',
    });
    expect((await search({ cursor: smaller.next_cursor })).results).toMatchObject([{ rank: 3 }]);
  });

  it('returns nothing for a query without words', async () => {
    const index = new FixedIndex([]);
    await service(index as never).search(aCall(), anInput({ query: '?!' }));
    expect(index.asked).toMatchObject([{ asked: { words: [] } }]);
  });
});
