import { type Scope, scopeCovers } from '../../../core/scope.js';
import type { Approval, ApprovalQuery, ApprovalStore } from '../../approvals/approval-store.port.js';

/** One page of a list. */
export interface ApprovalRows {
  readonly rows: readonly Approval[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: string | null;
}

/** True if an operator with a scope may see a request. @param scope  null: all requests */
export const isSeen = (scope: Scope | null, approval: Approval): boolean =>
  scope === null || scopeCovers(scope, approval.scope);

/**
 * A page of requests within the scope of an operator, newest first.
 * @param scope  null: all requests
 */
export async function findApprovals(
  store: Pick<ApprovalStore, 'list'>,
  query: ApprovalQuery,
  scope: Scope | null,
): Promise<ApprovalRows> {
  const { limit } = query;
  const found = await store.list({ ...query, ...(scope && { scope }), limit: limit + 1 });
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
