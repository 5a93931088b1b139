import type { Candidate, ExplainedHit } from '../../core/ports/section-index.port.js';
import { byScoreThenId, type Hit, type HitScore, type ScoredHit } from './score-hits.js';

/** Result of a search before it is cut to an answer. */
export interface Ranked<H extends Hit> {
  /** Rows that were scored, best first. */
  readonly scored: readonly (H & HitScore)[];
  /** Those that became the answer. */
  readonly candidates: readonly Candidate[];
  /** Sections that repeat a candidate, and which. */
  readonly repeated: ReadonlyMap<string, string>;
}

type Told = Pick<ExplainedHit, 'fate' | 'instead'>;

/** Rows that the search did not get to: their words count, and nothing else of them was looked at. */
function byWordsAlone<H extends Hit>(hits: readonly H[], { scored }: Ranked<H>): (H & HitScore)[] {
  const best = Math.max(...scored.map(({ lexical }) => lexical)) || 1;
  // Where vectors alone rank, words add nothing.
  const doWordsCount = scored.some(({ shares }) => 'words' in shares);
  const ranked = hits.map((hit): H & HitScore => {
    const score = doWordsCount ? Math.round((hit.lexical / best) * 10_000) / 10_000 : 0;
    const shares: ExplainedHit['shares'] = doWordsCount
      ? { words: score, title: 0, vector: 0 }
      : { vector: 0 };
    return { ...hit, score, vector: null, shares };
  });
  return ranked.sort(byScoreThenId);
}

/** Goes through rows as the search did; those that it did not get to come behind. */
function fatesOf<H extends Hit>(
  hits: readonly ScoredHit[],
  ranked: Ranked<H>,
  perDocument: number,
): ReadonlyMap<string, Told> {
  const shown = new Set(ranked.candidates.map(({ section }) => section.id));
  const ofDocument = new Map<Hit['documentId'], { best: string; count: number }>();
  const fateOf = ({ sectionId, documentId }: ScoredHit): Told => {
    const known = ofDocument.get(documentId) ?? { best: sectionId, count: 0 };
    known.count++;
    ofDocument.set(documentId, known);
    if (known.count > perDocument) return { fate: 'same_document', instead: known.best };
    if (shown.has(sectionId)) return { fate: 'candidate', instead: null };
    const instead = ranked.repeated.get(sectionId) ?? null;
    return instead === null ? { fate: 'below_list', instead } : { fate: 'near_duplicate', instead };
  };
  return new Map(hits.map((hit) => [hit.sectionId, fateOf(hit)]));
}

/** How far a search told goes, and what tells tags. */
export interface ExplainOptions<H> {
  /** Most candidates of one document. */
  readonly perDocument: number;
  /** Most rows that are told of. */
  readonly most: number;
  readonly tagOf: (hit: H) => string;
}

/**
 * Says of every row that matched what became of it.
 * @param matching  rows that match, best BM25 first; those that were scored may be among them
 * @returns in the order of scores
 */
export function explainHits<H extends Hit>(
  ranked: Ranked<H>,
  matching: readonly H[],
  { perDocument, most, tagOf }: ExplainOptions<H>,
): ExplainedHit[] {
  const { scored } = ranked;
  const known = new Set(scored.map(({ sectionId }) => sectionId));
  const behind = matching.filter(({ sectionId }) => !known.has(sectionId));
  const others = byWordsAlone(behind.slice(0, Math.max(0, most - scored.length)), ranked);
  const hits = [...scored, ...others];
  const fates = fatesOf(hits, ranked, perDocument);
  return hits.sort(byScoreThenId).map((hit) => {
    const { sectionId, score, lexical, vector, shares } = hit;
    const { fate = 'below_list', instead = null } = fates.get(sectionId) ?? {};
    return { sectionId, docTag: tagOf(hit), score, lexical, vector, shares, fate, instead };
  });
}
