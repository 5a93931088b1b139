import { type Call, Decisions, type RetrievalTrace, type Trace, type Usage } from '../../src/core/call.js';
import { NOTHING_RANKED } from '../../src/core/note-retrieval.js';
import type { Ranking } from '../../src/core/ranking.js';
import type { FinishedCall } from '../../src/mcp/pipeline/call-watch.js';
import { aCall, aRanking } from './builders.js';

interface FinishedParts extends Partial<Omit<FinishedCall, 'call' | 'start' | 'usage'>> {
  readonly call?: Partial<Call>;
  readonly start?: Partial<FinishedCall['start']>;
  readonly decisions?: Partial<Omit<Decisions, 'decide'>>;
  readonly trace?: Partial<Trace>;
  readonly usage?: Partial<Usage>;
  readonly retrieval?: Partial<RetrievalTrace>;
}

/** A call of kb.search whose reply contains its complete ranking. */
export function aFinishedCall(parts: FinishedParts = {}): FinishedCall {
  const { call, start, decisions, trace, retrieval, usage, ...rest } = parts;
  const base = aCall();
  const rankings: readonly Ranking[] = retrieval?.rankings ?? [aRanking()];
  const ids = rankings.flatMap(({ candidates }) => candidates.map(({ section }) => section.id));
  const seen = { answers: rankings, rankings, rankedAtMs: 4, listed: ids, shown: ids };
  return {
    call: {
      ...base,
      id: '6f1c1f0e-58a3-4b0e-9c1e-6a0d7d0e4a11',
      ...call,
      decisions: Object.assign(new Decisions(), {
        input: { query: 'moorings', top_k: 5, options: { mode: 'auto' } },
        ...decisions,
      }),
      trace: {
        ...base.trace,
        isRetrieval: true,
        retrieval: { ...NOTHING_RANKED, ...seen, ...retrieval },
        ...trace,
      },
    },
    start: {
      id: 'unused',
      transport: 'stdio',
      method: 'tools/call',
      tool: 'kb.search',
      requestedTool: 'kb.search',
      meta: {},
      headers: {},
      ...start,
    },
    args: { query: 'moorings' },
    durationMs: 10,
    isCancelled: false,
    error: null,
    usage: {
      bytes: 900,
      tokens: 300,
      limitReason: 'none',
      isPartial: false,
      ceilings: { bytes: 24_320, tokens: 7_176 },
      ...usage,
    },
    ...rest,
  };
}
