import type { AskedWords, Candidate, SearchAnswer } from './ports/section-index.port.js';

export type SearchMode = 'auto' | 'vector_only' | 'hybrid_local';

/** One thing to search for. */
export interface QueryPart {
  /** As it was asked. */
  readonly question: string;
  /** The part's words and the keywords, for scoring spans by overlap. */
  readonly text: string;
  readonly asked: AskedWords;
  /** Without the keywords, which tell of the other parts, too; null where there is nothing to tell apart. */
  readonly own: AskedWords | null;
}

/** A section in its place. */
export interface RankedCandidate extends Candidate {
  /** The section that it completes, which added to its score through the graph, if any did. */
  readonly completes?: string | null;
  /** The same, where that put it before others. */
  readonly liftedBy?: string | null;
}

/** Which signals found a section. */
export const SEARCH_SOURCES = [
  'reranked',
  'rrf_fusion',
  'graph_expanded',
  'vector',
  'bm25',
  'hybrid',
] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** Which signals put a section in its place. */
export function sourceOf({ liftedBy, vector, rerank }: RankedCandidate): SearchSource {
  if (liftedBy) return 'graph_expanded';
  if (rerank !== undefined) return 'reranked';
  return vector === null ? 'bm25' : 'hybrid';
}

/** A ranked list and what it was ranked with. */
export interface Ranking extends SearchAnswer {
  readonly part: QueryPart;
  readonly candidates: readonly RankedCandidate[];
}
