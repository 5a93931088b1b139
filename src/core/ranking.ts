import type { AskedWords, Candidate, SearchAnswer } from './ports/section-index.port.js';

export type SearchMode = 'auto' | 'vector_only' | 'hybrid_local';

/** A part of a question, which is searched for separately. */
export interface QueryPart {
  /** As written by the caller. */
  readonly question: string;
  /** The words of the part and the keywords, for scoring spans by overlap. */
  readonly text: string;
  readonly asked: AskedWords;
  /** The words without the keywords, which all parts share; null if the question has only one part or no keywords. */
  readonly own: AskedWords | null;
}

export interface RankedCandidate extends Candidate {
  /** The section that raised its score through the graph, if any. */
  readonly completes?: string | null;
  /** The section in `completes`, if the raised score moved this candidate up in the list. */
  readonly liftedBy?: string | null;
}

/** The signals that can determine the rank of a section. */
export const SEARCH_SOURCES = [
  'reranked',
  'rrf_fusion',
  'graph_expanded',
  'vector',
  'bm25',
  'hybrid',
] as const;

/** Returns the signal that determined the rank of a section. */
export function sourceOf({ liftedBy, vector, rerank }: RankedCandidate): (typeof SEARCH_SOURCES)[number] {
  if (liftedBy) return 'graph_expanded';
  if (rerank !== undefined) return 'reranked';
  return vector === null ? 'bm25' : 'hybrid';
}

/** A ranked list, with the part of the question and the search answer that it was made from. */
export interface Ranking extends SearchAnswer {
  readonly part: QueryPart;
  readonly candidates: readonly RankedCandidate[];
}
