import type { Candidate, ExplainedHit } from '../../core/ports/section-index.port.js';
import { byScoreThenId, type Hit, type ScoredHit } from './score-hits.js';

/** Result of a search, before unused rows are dropped. */
export interface Ranked<H extends Hit> {
  /** Rows that were scored, best first. */
  readonly scored: readonly ScoredHit<H>[];
  /** Rows of the answer. */
  readonly candidates: readonly Candidate[];
  /** By section id: the candidate that the section repeats. */
  readonly repeated: ReadonlyMap<string, string>;
}

type Outcome = Pick<ExplainedHit, 'fate' | 'instead'>;

/** Scores rows that the search did not read, by their words alone. */
function byWordsAlone<H extends Hit>(hits: readonly H[], { scored }: Ranked<H>): ScoredHit<H>[] {
  const best = Math.max(...scored.map(({ hit }) => hit.lexical)) || 1;
  // If only vectors rank, words do not count.
  const doWordsCount = scored.some(({ shares }) => 'words' in shares);
  const ranked = hits.map((hit): ScoredHit<H> => {
    const score = doWordsCount ? Math.round((hit.lexical / best) * 10_000) / 10_000 : 0;
    const shares: ExplainedHit['shares'] = doWordsCount
      ? { words: score, title: 0, vector: 0 }
      : { vector: 0 };
    return { hit, score, vector: null, shares };
  });
  return ranked.sort(byScoreThenId);
}

/** The outcome of each row, in the order in which the search reads them. */
function fatesOf<H extends Hit>(
  hits: readonly ScoredHit[],
  ranked: Ranked<H>,
  perDocument: number,
): ReadonlyMap<string, Outcome> {
  const shown = new Set(ranked.candidates.map(({ section }) => section.id));
  const ofDocument = new Map<Hit['documentId'], { best: string; count: number }>();
  const fateOf = ({ hit: { sectionId, documentId } }: ScoredHit): Outcome => {
    const known = ofDocument.get(documentId) ?? { best: sectionId, count: 0 };
    known.count++;
    ofDocument.set(documentId, known);
    if (known.count > perDocument) return { fate: 'same_document', instead: known.best };
    if (shown.has(sectionId)) return { fate: 'candidate', instead: null };
    const instead = ranked.repeated.get(sectionId) ?? null;
    return instead === null ? { fate: 'below_list', instead } : { fate: 'near_duplicate', instead };
  };
  return new Map(hits.map((one) => [one.hit.sectionId, fateOf(one)]));
}

interface ExplainOptions<H> {
  /** Maximum candidates per document. */
  readonly perDocument: number;
  /** Maximum rows to explain. */
  readonly most: number;
  readonly tagOf: (hit: H) => string;
}

/** The outcome of every matching row, best score first. @param matching  best BM25 first; may include scored rows */
export function explainHits<H extends Hit>(
  ranked: Ranked<H>,
  matching: readonly H[],
  { perDocument, most, tagOf }: ExplainOptions<H>,
): ExplainedHit[] {
  const { scored } = ranked;
  const known = new Set(scored.map(({ hit }) => hit.sectionId));
  const behind = matching.filter(({ sectionId }) => !known.has(sectionId));
  const others = byWordsAlone(behind.slice(0, Math.max(0, most - scored.length)), ranked);
  const hits = [...scored, ...others];
  const fates = fatesOf(hits, ranked, perDocument);
  return hits.sort(byScoreThenId).map(({ hit, score, vector, shares }) => {
    const { sectionId, lexical } = hit;
    const { fate = 'below_list', instead = null } = fates.get(sectionId) ?? {};
    return { sectionId, docTag: tagOf(hit), score, lexical, vector, shares, fate, instead };
  });
}
