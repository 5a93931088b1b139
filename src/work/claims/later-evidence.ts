import type { Claim } from './claim.js';

/** The number of visible pieces of evidence that were added since the last decision was first approved; 0 for an open claim. */
export function laterEvidence({ decisions, evidence }: Pick<Claim, 'decisions' | 'evidence'>): number {
  const last = decisions.at(-1);
  return last ? evidence.filter(({ addedAt }) => addedAt >= last.approvedAt).length : 0;
}
