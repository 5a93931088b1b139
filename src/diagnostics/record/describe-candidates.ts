import type { Call, RetrievalTrace } from '../../core/call.js';
import { type RankedCandidate, sourceOf } from '../../core/ranking.js';
import { scopeAllows } from '../../core/scope.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import type { DiagnosticCandidate, DiagnosticHit, Fate, LeftOutCandidate } from './diagnostic-record.js';

/** Maximum number of sections recorded besides the returned ones. */
const MAX_LEFT_OUT = 50;
/** Maximum number of matches recorded per search, before any are dropped. */
const MAX_HITS = 100;

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

type Scored = Pick<RankedCandidate, 'lexical' | 'vector' | 'score' | 'shares' | 'rerank'>;

function scoresOf({ lexical, vector, score, shares, rerank }: Scored): DiagnosticCandidate['scores'] {
  return { bm25: lexical, vector, fused: round(score), rerank: rerank ?? null, graph: shares['graph'] ?? 0 };
}

function describe(candidate: RankedCandidate, rank: number): DiagnosticCandidate {
  const { section, document, shares, completes = null } = candidate;
  const contributions = Object.entries(shares).map(([signal, share]) => [signal, round(share)]);
  return {
    rank,
    chunk_id: section.id,
    doc_tag: document.docTag,
    token_count: estimateTokens(section.text),
    source: sourceOf(candidate),
    scores: scoresOf(candidate),
    explain: {
      rrf_field_contributions: Object.fromEntries(contributions),
      entity_boost_applied: false,
      entity_metadata: {},
      graph_distance: completes === null ? 0 : 1,
      graph_path: completes === null ? [] : [completes, section.id],
    },
  };
}

/** The ranked list by section id, best first. With several parts: the best of each, then the second of each, … */
export function rankedList({ rankings }: RetrievalTrace): ReadonlyMap<string, RankedCandidate> {
  const ranked = new Map<string, RankedCandidate>();
  const longest = Math.max(0, ...rankings.map(({ candidates }) => candidates.length));
  for (let place = 0; place < longest; place++) {
    for (const { candidates } of rankings) {
      const candidate = candidates[place];
      if (candidate && !ranked.has(candidate.section.id)) ranked.set(candidate.section.id, candidate);
    }
  }
  return ranked;
}

function belowList(
  { scope }: Call,
  { answers }: RetrievalTrace,
  ranked: ReadonlyMap<string, RankedCandidate>,
): RankedCandidate[] {
  const found = new Map<string, RankedCandidate>();
  for (const candidate of answers.flatMap(({ candidates }) => candidates)) {
    const { section, document } = candidate;
    if (!ranked.has(section.id) && scopeAllows(scope, document) && !found.has(section.id))
      found.set(section.id, candidate);
  }
  return [...found.values()].sort((a, b) => b.score - a.score || (a.section.id < b.section.id ? -1 : 1));
}

/** Returned sections, in the order of the result. */
export function describeReturned(
  { shown }: RetrievalTrace,
  ranked: ReadonlyMap<string, RankedCandidate>,
): DiagnosticCandidate[] {
  const rankOf = new Map([...ranked.keys()].map((id, i) => [id, i + 1]));
  return shown.flatMap((id) => {
    const candidate = ranked.get(id);
    return candidate ? [describe(candidate, rankOf.get(id) ?? 1)] : [];
  });
}

/** Ranked sections that were not returned, with the reason; at most 50, best first. */
export function describeLeftOut(
  call: Call,
  retrieval: RetrievalTrace,
  ranked: ReadonlyMap<string, RankedCandidate>,
): LeftOutCandidate[] {
  const { listed, shown, answerable } = retrieval;
  const fateOf = (id: string): Fate => {
    if (!ranked.has(id)) return 'below_list';
    if (listed.includes(id)) return 'budget';
    return answerable ? 'no_quote' : 'other_page';
  };
  return [...ranked.values(), ...belowList(call, retrieval, ranked)]
    .map((candidate, i) => ({ candidate, rank: i + 1 }))
    .filter(({ candidate }) => !shown.includes(candidate.section.id))
    .slice(0, MAX_LEFT_OUT)
    .map(({ candidate, rank }) => ({
      ...describe(candidate, rank),
      fate: fateOf(candidate.section.id),
      instead: null,
    }));
}

/** Matches before any were dropped, at most 100 per search; only if the search was explained. */
export function describeHits({ answers }: RetrievalTrace): DiagnosticHit[] {
  return answers.flatMap(({ hits = [] }) =>
    hits.slice(0, MAX_HITS).map(({ sectionId, docTag, fate, instead, ...hit }, i) => ({
      rank: i + 1,
      chunk_id: sectionId,
      doc_tag: docTag,
      scores: scoresOf(hit),
      fate: fate === 'candidate' ? ('returned' as const) : fate,
      instead,
    })),
  );
}
