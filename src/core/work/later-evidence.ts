import type { Claim } from '../ports/work/claim-store.port.js';

/**
 * The number of visible pieces of evidence that nobody can have seen who approved the last decision about a claim; 0 for an
 * open claim.
 */
export function laterEvidence({ decisions, evidence }: Pick<Claim, 'decisions' | 'evidence'>): number {
  const last = decisions.at(-1);
  return last ? evidence.filter(({ addedAt }) => addedAt >= last.approvedAt).length : 0;
}
