import { COMPARED } from './score-hits.js';
import type { Hit } from './score-hits.js';

/** So many sections are found by their vectors, as many as are compared of those that words found. */
export const RECALLED = COMPARED;

/** Hits with as many at the head as are compared. */
export interface MergedHits<T extends Hit> {
  readonly hits: readonly T[];
  /** How many of the first are ranked by every signal. */
  readonly compared: number;
}

/**
 * Puts what vectors found beside what words found: behind the head of the lexical ranking, and before its tail.
 * @param byWords  best BM25 first
 * @param byVector  nearest first, each with its BM25, 0 where it holds none of the words
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
