import type { Call } from '../../../../src/core/call.js';
import type { SearchMode } from '../../../../src/core/ranking.js';
import type { RankLimits } from '../../../../src/kb/search/rank-matches.js';
import { rankSections } from '../../../../src/kb/search/rank-parts.js';
import { aCall, aCandidate, FixedIndex, NO_FILTER, theWords } from '../../../support/builders.js';

const PART = { question: 'disk', text: 'disk', asked: theWords('disk'), own: null };
const inDocument = (path: string, id: string, docTag = 'guides') =>
  aCandidate({ section: { id }, document: { path, docTag } });
const rank = (call: Call, index: FixedIndex, limits: Partial<RankLimits> = {}, mode: SearchMode = 'auto') =>
  rankSections(call, index, {
    part: PART,
    filter: NO_FILTER,
    limits: { sections: 5, perDocument: 1, ...limits },
    mode,
  });

describe('rankSections', () => {
  it('passes limits, scope and filter to the index', async () => {
    const index = new FixedIndex([]);
    await rank(aCall(), index, { sections: 8, perDocument: 3 });
    expect(index.asked).toEqual([
      {
        text: 'disk',
        asked: theWords('disk'),
        rankedBy: 'both',
        scope: aCall().scope,
        filter: NO_FILTER,
        limit: 8,
        perDocument: 3,
      },
    ]);
  });

  it.each<SearchMode>(['auto', 'vector_only', 'hybrid_local'])(
    'ranks in mode %s by words and vectors',
    async (mode) => {
      const index = new FixedIndex([]);
      await rank(aCall(), index, {}, mode);
      expect(index.asked).toMatchObject([{ rankedBy: 'both' }]);
    },
  );

  it('returns how the index interpreted the question', async () => {
    const ranking = await rank(aCall(), new FixedIndex([inDocument('a', 'a1')]));
    expect(ranking).toMatchObject({
      part: PART,
      generation: 'index:1',
      sectionCount: 10,
      terms: [],
      rewrites: [],
    });
  });

  it('keeps the order of the index', async () => {
    const { candidates } = await rank(
      aCall(),
      new FixedIndex([inDocument('b', 'b1'), inDocument('a', 'a1')]),
    );
    expect(candidates.map(({ section }) => section.id)).toEqual(['b1', 'a1']);
  });

  it('drops and counts sections outside the scope', async () => {
    const call = aCall({ scope: { docTags: ['guides'] } });
    const { candidates } = await rank(
      call,
      new FixedIndex([inDocument('a', 'a1', 'secret'), inDocument('b', 'b1')]),
    );
    expect(candidates.map(({ section }) => section.id)).toEqual(['b1']);
    expect(call.trace.drops).toMatchObject({ scope_mismatch: 1 });
  });

  it('counts matches and sections omitted by the limit per document', async () => {
    const call = aCall();
    await rank(call, new FixedIndex([inDocument('a', 'a1')]));
    expect(call.trace).toMatchObject({ counts: { matched: 1 }, drops: { same_document: 2 } });
  });

  it('records the duration of the search', async () => {
    const times = [1_000, 1_007];
    const call = { ...aCall(), elapsed: () => times.shift() ?? 0 };
    await rank(call, new FixedIndex([]));
    expect(call.trace.timings).toEqual({ search_ms: 7 });
  });

  it.each<[number | null, string[]]>([
    [null, ['vector']],
    [0.5, []],
  ])(
    'handles sections with vector score %s, and reports the unavailable signals %j',
    async (vector, degraded) => {
      const call = aCall();
      await rank(call, new FixedIndex([aCandidate({ vector })]), {}, 'vector_only');
      expect(call.trace.degraded).toEqual(degraded);
    },
  );
});
