import { APPROVAL_REQUIRED, ScopeViolationError } from '../../core/errors.js';
import type { Approval } from './approval.js';
import { isShownToUser } from './approval-words.js';
import { isForCaller } from './decide-approval.js';

/** The field of `_meta` in which a client names the approval of a call. */
export const APPROVAL_FIELD = 'pith/approval_id';

const DECIDE = 'at /admin/approvals or with `pith approvals`; then make the same call again.';

/** Who decides, and that the call is not lost. */
function waitingHint({ effect, expiresAt }: Approval, isForUser: boolean): string {
  const who = effect === 'review' ? 'Two operators decide' : 'An operator decides';
  const user = isForUser ? 'The user may be asked, too. ' : '';
  return `${who} ${DECIDE} ${user}The call was not executed; it waits until ${isoOf(expiresAt)}.`;
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function detailsOf({ id, expiresAt, rule, effect, approver }: Approval): Readonly<Record<string, unknown>> {
  return { approval_id: id, expires_at: isoOf(expiresAt), rule, effect, approver };
}

/** The reason for the run ledger why a call with this request is not executed. The caller learns less. */
export function recordedReason({ state, decisions }: Approval): string {
  switch (state) {
    case 'pending':
      return APPROVAL_REQUIRED;
    case 'rejected':
      return decisions.at(-1)?.verdict === 'revoked' ? 'approval_revoked' : 'approval_rejected';
    case 'expired':
      return 'approval_expired';
    // Another call has used it, perhaps just now.
    case 'approved':
    case 'used':
      return 'approval_used';
  }
}

/** The call ends and waits for a decision. */
export function approvalRequired(approval: Approval): ScopeViolationError {
  const { id, tool, reason } = approval;
  const why = reason === null ? '' : ` ${sentence(reason)}`;
  const isForUser = isForCaller(approval) && isShownToUser(approval);
  const approver = isForUser ? ' of the user or of an operator' : '';
  return new ScopeViolationError(`${tool} needs an approval${approver}, requested as ${id}.${why}`, {
    reason: APPROVAL_REQUIRED,
    hint: waitingHint(approval, isForUser),
    details: detailsOf(approval),
  });
}

/** An approval covers the arguments of a call, and not content that is sent beside them. */
export function approvalByTool(tool: string): ScopeViolationError {
  return new ScopeViolationError(`${tool} needs an approval, and approvals are for calls over MCP.`, {
    reason: APPROVAL_REQUIRED,
    hint: `Call the tool ${tool} at /mcp instead: the approval then covers exactly what is sent.`,
  });
}

/** The call was rejected. */
export function approvalDenied(approval: Approval): ScopeViolationError {
  const { tool, expiresAt, decisions } = approval;
  const { reason = null, verdict } = decisions.at(-1) ?? {};
  const refused =
    verdict === 'revoked' ? `The approval of ${tool} was revoked.` : `${tool} was not approved.`;
  return new ScopeViolationError(`${refused}${reason === null ? '' : ` ${sentence(reason)}`}`, {
    reason: 'approval_denied',
    hint: `Continue without this call. The same call can be requested again after ${isoOf(expiresAt)}.`,
    details: detailsOf(approval),
  });
}

/** The user at the host declined the call, which an operator had approved. The approval can still be used. */
export function callDeclined(approval: Approval): ScopeViolationError {
  return new ScopeViolationError(`The user declined the call of ${approval.tool}.`, {
    reason: 'approval_denied',
    hint: 'Continue without this call.',
    details: detailsOf(approval),
  });
}

/** The approval that a call names is not for this call, or can't be used any more. It does not reveal which. */
export function approvalMismatch(): ScopeViolationError {
  return new ScopeViolationError('The approval is not for this call, or it has expired or was used.', {
    reason: 'approval_mismatch',
    hint: `Make the call without _meta["${APPROVAL_FIELD}"] and without the state of an earlier answer. It then asks for a new approval.`,
  });
}
