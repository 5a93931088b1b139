import { withCallSignal } from '../../../../../src/core/call-signal.js';
import { sourceOf } from '../../../../../src/core/ranking.js';
import { RerankedSearch } from '../../../../../src/engines/models/rerank/reranked-search.js';
import { anIndex, type TestIndex } from '../../../../support/an-index.js';
import { aQuery, type QueryParts } from '../../../../support/indexed-documents.js';
import { WordReranker } from '../../../../support/word-model.js';

const SCOPE = { projectId: 'docs' };

describe('RerankedSearch', () => {
  let docs: TestIndex;
  beforeAll(async () => {
    docs = await anIndex({
      'a.md': '# Disk disk disk\n\nA disk is a disk.\n',
      'b.md': '# Ships\n\nA ship has no disk, but a berth.\n',
      'c.md': '# Ports\n\nA port, a disk.\n',
    });
  });
  afterAll(() => docs.remove());

  const search = (reranker: WordReranker, parts: QueryParts = {}) =>
    new RerankedSearch(docs.index, reranker).search(aQuery('disk', { scope: SCOPE, ...parts }));

  it("sorts by the model's scores, and reports their share", async () => {
    const { candidates, fusion, rerankMs } = await search(new WordReranker('berth'));
    const [first] = candidates;
    expect(first?.section.id).toContain('b.md');
    expect(first?.shares['rerank']).toBe(1);
    expect(first && sourceOf(first)).toBe('reranked');
    expect(fusion.params['rerank']).toBe(1);
    expect(rerankMs).toBeGreaterThanOrEqual(0);
  });

  it('reranks more sections than requested, with their headings', async () => {
    const reranker = new WordReranker('berth');
    const { candidates } = await search(reranker, { limit: 1 });
    expect(candidates.map(({ section }) => section.title)).toEqual(['Ships']);
    expect(reranker.asked[0]?.texts).toHaveLength(3);
    expect(reranker.asked[0]?.texts).toContain('Ships\nA ship has no disk, but a berth.');
  });

  it('keeps the order if the model is unavailable, and marks the answer degraded', async () => {
    const reranker = new WordReranker('berth');
    reranker.isDown = true;
    const without = await docs.index.search(aQuery('disk', { scope: SCOPE }));
    const answer = await search(reranker);
    expect(answer.candidates).toEqual(without.candidates);
    expect(answer.degraded).toEqual(['rerank']);
  });

  it('is cancelled with its call, and does not report that as a failed model', async () => {
    const reranker = new WordReranker('berth');
    reranker.isDown = true;
    const ended = AbortSignal.abort();
    await expect(withCallSignal(ended, () => search(reranker))).rejects.toMatchObject({ reason: 'reranker' });
  });

  it('does not use the model for lexical searches and empty results', async () => {
    const reranker = new WordReranker();
    await search(reranker, { rankedBy: 'lexical' });
    await search(reranker, { filter: { pathPrefix: 'nowhere' } });
    expect(reranker.asked).toEqual([]);
  });
});
