import type { Candidate } from './section-index.port.js';

/**
 * Keeps at most `most` sections of each document.
 * @param candidates  best first; the order stays
 */
export function limitPerDocument(candidates: readonly Candidate[], most: number): Candidate[] {
  const taken = new Map<string, number>();
  return candidates.filter(({ document }) => {
    const count = (taken.get(document.path) ?? 0) + 1;
    taken.set(document.path, count);
    return count <= most;
  });
}
