import { COMPARED, type Hit } from './score-hits.js';

/** Number of sections found by their vectors; the same as are compared of those that words found. */
export const RECALLED = COMPARED;

/** Hits with as many at the head as are compared. */
export interface MergedHits<T extends Hit> {
  readonly hits: readonly T[];
  /** How many of the first are ranked by every signal. */
  readonly compared: number;
}

/**
 * Inserts the sections that vectors found between the head and the tail of the lexical ranking.
 * @param byWords  best BM25 first
 * @param byVector  nearest first, each with its BM25, which is 0 for a section with none of the words
 */
export function mergeRecalled<T extends Hit>(byWords: readonly T[], byVector: readonly T[]): MergedHits<T> {
  if (byVector.length === 0) return { hits: byWords, compared: COMPARED };
  const head = byWords.slice(0, COMPARED);
  const atHead = new Set(head.map(({ sectionId }) => sectionId));
  const added = byVector
    .filter(({ sectionId }) => !atHead.has(sectionId))
    .map((hit) => (hit.lexical === 0 ? { ...hit, recalled: true } : hit));
  const moved = new Set(added.map(({ sectionId }) => sectionId));
  const tail = byWords.slice(COMPARED).filter(({ sectionId }) => !moved.has(sectionId));
  return { hits: [...head, ...added, ...tail], compared: head.length + added.length };
}
