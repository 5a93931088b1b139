import { findApprovals, isSeen } from '../../../../src/admin/approvals/find-approvals.js';
import type { Approval, ApprovalQuery } from '../../../../src/core/ports/approval-store.port.js';
import { anApproval } from '../../../support/an-approval.js';
import { aScope } from '../../../support/builders.js';

const OWN = aScope({ docTags: ['guide'] });

/** A store that holds these requests, newest first. */
const storeOf = (all: readonly Approval[]) => ({
  list: async ({ after, limit }: ApprovalQuery) => {
    const begin = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return all.slice(begin, begin + limit);
  },
});

/** Requests of others, each `every`-th one within the scope. */
const mixed = (count: number, every: number): Approval[] =>
  Array.from({ length: count }, (_, i) =>
    anApproval({ id: `${i + 1}`, ...((i + 1) % every === 0 && { scope: OWN }) }),
  );

const list = async (all: readonly Approval[], after?: string) => {
  const query = { limit: 2, ...(after !== undefined && { after }) };
  const { rows, ...page } = await findApprovals(storeOf(all), query, OWN);
  return { ids: rows.map(({ id }) => id), ...page };
};

describe('findApprovals', () => {
  it('lists only requests within the scope, page by page', async () => {
    const all = mixed(1_200, 300);
    expect(await list(all)).toEqual({ ids: ['300', '600'], next: '600', isCut: false });
    expect(await list(all, '600')).toEqual({ ids: ['900', '1200'], next: null, isCut: false });
  });

  it('says that older requests were not searched', async () => {
    expect(await list(mixed(5_000, 1_500))).toEqual({ ids: ['1500'], next: null, isCut: true });
  });

  it('lists all requests for an operator without a scope', async () => {
    const { rows, next } = await findApprovals(storeOf(mixed(3, 9)), { limit: 2 }, null);
    expect([rows.map(({ id }) => id), next]).toEqual([['1', '2'], '2']);
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
