import { laterEvidence } from '../../../../src/work/claims/claim';
import { aClaimDecision, aPiece } from '../../../support/a-claim';

const evidence = [4, 5, 6, 9].map((addedAt) => aPiece({ addedAt }));

describe('laterEvidence', () => {
  it.each([
    ['nothing of an open claim', [], 0],
    ['what was added when the decision was approved, or later', [{ approvedAt: 5, at: 8 }], 3],
    ['only what was added after the last decision', [{ approvedAt: 5 }, { approvedAt: 9 }], 1],
    ['nothing if all was there', [{ approvedAt: 10 }], 0],
  ])('counts %s', (_, decisions, expected) => {
    expect(laterEvidence({ decisions: decisions.map(aClaimDecision), evidence })).toBe(expected);
  });
});
