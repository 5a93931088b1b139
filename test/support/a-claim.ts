import type { ClaimDecision, LinkedEvidence, NewClaim } from '../../src/work/claims/claim.js';

export function aClaim(overrides: Partial<NewClaim> = {}): NewClaim {
  return {
    ...{ id: 'c1', statement: 'Sails are set in calm air.', data: null },
    createdBy: 'ann',
    ...overrides,
  };
}

export function aPiece(overrides: Partial<LinkedEvidence> = {}): LinkedEvidence {
  return {
    id: 'e1',
    sectionId: 'guide.md#use',
    start: 0,
    end: 7,
    quote: 'Use it.',
    sectionHash: 'ab',
    path: 'guide.md',
    docTag: 'guides',
    repository: 'repo',
    stance: 'supports',
    addedBy: 'ann',
    addedAt: 1,
    ...overrides,
  };
}

export function aClaimDecision(overrides: Partial<ClaimDecision> = {}): ClaimDecision {
  return {
    verdict: 'accepted',
    reason: 'Checked.',
    proposedBy: 'ann',
    decidedBy: ['olga'],
    approvalId: 'a1',
    approvedAt: 4,
    at: 5,
    ...overrides,
  };
}
