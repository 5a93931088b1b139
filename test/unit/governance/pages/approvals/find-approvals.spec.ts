import type { Scope } from '../../../../../src/core/scope.js';
import type { Approval, ApprovalQuery } from '../../../../../src/governance/approvals/approval.js';
import { findApprovals, isSeen } from '../../../../../src/governance/pages/approvals/approvals.controller.js';
import { anApproval } from '../../../../support/an-approval.js';
import { aScope } from '../../../../support/builders.js';

const OWN = aScope({ docTags: ['guide'] });

describe('findApprovals', () => {
  const found = async (scope: Scope | null, count: number) => {
    const asked: ApprovalQuery[] = [];
    const list = async (query: ApprovalQuery): Promise<Approval[]> => {
      asked.push(query);
      return Array.from({ length: Math.min(count, query.limit) }, (_, i) => anApproval({ id: `${i + 1}` }));
    };
    const { rows, next } = await findApprovals({ list }, { state: 'pending', limit: 2 }, scope);
    return { asked, ids: rows.map(({ id }) => id), next };
  };

  it('asks the store once for the requests within the scope, and says where the next page begins', async () => {
    expect(await found(OWN, 9)).toEqual({
      asked: [{ state: 'pending', scope: OWN, limit: 3 }],
      ids: ['1', '2'],
      next: '2',
    });
  });

  it('lists all requests for an operator without a scope', async () => {
    expect(await found(null, 2)).toEqual({
      asked: [{ state: 'pending', limit: 3 }],
      ids: ['1', '2'],
      next: null,
    });
  });
});

describe('isSeen', () => {
  it('is true for requests whose documents are within the scope', () => {
    expect(isSeen(OWN, anApproval({ scope: aScope({ docTags: ['guide'], repositories: ['r'] }) }))).toBe(
      true,
    );
    expect(isSeen(OWN, anApproval({ scope: aScope() }))).toBe(false);
    expect(isSeen(null, anApproval())).toBe(true);
  });
});
