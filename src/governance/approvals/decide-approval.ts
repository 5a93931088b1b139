import { BudgetExceededError, InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import { entryName } from '../../mcp/principals.js';
import type { Approval, ApprovalRequest, ApprovalState, ApprovalUse, DatedDecision } from './approval.js';

/** Operators who have to approve a review. */
const REVIEWERS = 2;

/** Number of approvals by different people that a request needs. */
export function approvalsNeeded({ effect }: Pick<ApprovalRequest, 'effect'>): number {
  return effect === 'review' ? REVIEWERS : 1;
}

/** True if the host of the caller may ask its user for the approval. */
export function isForCaller({ effect, approver }: Pick<ApprovalRequest, 'effect' | 'approver'>): boolean {
  return effect === 'approve' && approver === 'caller';
}

/** The state of a request at a time (ms since the epoch): what is neither rejected nor used expires. */
export function stateAt(
  { state, expiresAt }: Pick<Approval, 'expiresAt'> & { readonly state: ApprovalState },
  at: number,
): ApprovalState {
  const canExpire = state === 'pending' || state === 'approved';
  return canExpire && at >= expiresAt ? 'expired' : state;
}

/** The next step for those who wanted to decide, by state. */
const NEXT_STEPS: Partial<Readonly<Record<ApprovalState, string>>> = {
  expired: 'The caller has to make the call again, which asks for a new approval.',
  approved: 'Until it is used, it can be revoked with pith approvals revoke.',
};

const wordsOf = (state: ApprovalState): string => (state === 'expired' ? 'has expired' : `is ${state}`);

function notPending({ id, state }: Approval): InvalidArgumentError {
  const next = NEXT_STEPS[state] ?? 'Nothing needs to be done.';
  return new InvalidArgumentError(`Approval ${id} ${wordsOf(state)}, so it can't be decided.`, {
    reason: 'approval_not_pending',
    hint: `${next} Calls that still wait are listed at /admin/approvals.`,
    commandHint: `${next} Calls that still wait are listed by: pith approvals list`,
    details: { state },
  });
}

function notGranted({ id, state }: Approval): InvalidArgumentError {
  return new InvalidArgumentError(`Approval ${id} ${wordsOf(state)}, so it can't be revoked.`, {
    reason: 'approval_not_granted',
    hint: state === 'pending' ? 'Reject it instead.' : 'Nothing needs to be done.',
    details: { state },
  });
}

function checkDecider({ id, principal, decisions, ...rule }: Approval, { by, via }: DatedDecision): void {
  if (via === 'host') {
    if (isForCaller(rule) && by === principal) return;
    throw new ScopeViolationError(`Approval ${id} has to be decided by an operator.`, {
      reason: 'approver_mismatch',
      hint: 'An operator decides at /admin/approvals or with: pith approvals',
    });
  }
  // Who has a key and tokens under one entry has one voice.
  if (entryName(by) === entryName(principal)) {
    throw new ScopeViolationError('Nobody can decide about their own call.', {
      reason: 'own_call',
      hint: 'Ask another operator to decide.',
    });
  }
  if (decisions.some((decision) => entryName(decision.by) === entryName(by))) {
    throw new InvalidArgumentError(`${by} has already decided about approval ${id}.`, {
      reason: 'approval_already_decided',
      hint: 'A review needs two different operators.',
    });
  }
}

/**
 * Adds a decision to a request. One rejection rejects it. An operator can't decide about an own call, and a host only
 * decides where the rule says `approver: caller`. Any operator can revoke what was granted and not used.
 * @param approval  as of the time of the decision
 * @throws InvalidArgumentError `approval_not_pending`, `approval_not_granted`, `approval_already_decided`;
 *   ScopeViolationError `approver_mismatch`, `own_call`
 */
export function decideApproval(approval: Approval, decision: DatedDecision): Approval {
  const state = stateAt(approval, decision.at);
  if (decision.verdict === 'revoked') {
    if (state !== 'approved') throw notGranted({ ...approval, state });
    return { ...approval, decisions: [...approval.decisions, decision], state: 'rejected' };
  }
  if (state !== 'pending') throw notPending({ ...approval, state });
  checkDecider(approval, decision);
  const decisions = [...approval.decisions, decision];
  if (decision.verdict === 'rejected') return { ...approval, decisions, state: 'rejected' };
  return {
    ...approval,
    decisions,
    state: decisions.length < approvalsNeeded(approval) ? 'pending' : 'approved',
  };
}

/**
 * Uses a granted approval for a call. It can be used once.
 * @param live  the request with the binding of the call; null if it was not requested
 * @param at  ms since the epoch
 * @returns the used approval; null if the call may not be executed
 */
export function useApproval(
  live: Approval | null,
  { id, callId }: Pick<ApprovalUse, 'id' | 'callId'>,
  at: number,
): Approval | null {
  if (!live || stateAt(live, at) !== 'approved' || (id !== undefined && live.id !== id)) return null;
  return { ...live, state: 'used', usedBy: callId, usedAt: at };
}

/** For ids of requests that do not exist. */
export function unknownApproval(): InvalidArgumentError {
  return new InvalidArgumentError('There is no approval with this id.', {
    reason: 'approval_not_found',
    hint: 'Copy the id from the list at /admin/approvals or from: pith approvals list',
  });
}

/** For a principal with too many pending requests. */
export function tooManyPending(limit: number): BudgetExceededError {
  return new BudgetExceededError(`${limit} calls of this caller already wait for approval.`, {
    reason: 'approvals_pending',
    hint: 'Wait until some of them are decided or expire.',
  });
}
