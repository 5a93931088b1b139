import {
  type Approval,
  type ApprovalQuery,
  type ApprovalStore,
  MAX_LISTED_APPROVALS,
} from '../../core/ports/approval-store.port.js';
import { type Scope, scopeCovers } from '../../core/scope.js';

/** Most requests that are searched for those within a scope. */
export const MAX_SEARCHED = 2_000;

/** One page of a list. */
export interface ApprovalRows {
  readonly rows: readonly Approval[];
  /** The id after which the next page begins; null on the last page. */
  readonly next: string | null;
  /** True if there are older requests that were not searched. */
  readonly isCut: boolean;
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
  const size = scope === null ? limit + 1 : MAX_LISTED_APPROVALS;
  const found: Approval[] = [];
  let { after } = query;
  let isCut = false;
  for (let searched = 0; found.length <= limit; searched += size) {
    isCut = searched >= MAX_SEARCHED;
    if (isCut) break;
    const page = await store.list({ ...query, ...(after !== undefined && { after }), limit: size });
    found.push(...page.filter((approval) => isSeen(scope, approval)));
    after = page.at(-1)?.id;
    if (page.length < size) break;
  }
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null, isCut };
}
