import type { Approval, ApprovalRequest, ApprovalState, DatedDecision } from './approval-store.port.js';
import { stateAt } from './decide-approval.js';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The condition for rows in a state. @param now  the parameter for the time */
export function stateCondition(state: ApprovalState, now: string): string {
  if (state === 'expired') return `state IN ('pending', 'approved') AND expires_at <= ${now}`;
  const isOpen = state === 'pending' || state === 'approved';
  return isOpen ? `state = '${state}' AND expires_at > ${now}` : `state = '${state}'`;
}

const storedState = (value: unknown): Exclude<ApprovalState, 'expired'> =>
  value === 'approved' || value === 'rejected' || value === 'used' ? value : 'pending';

/** A row as a request, in its state at a time. */
export function approvalOf(row: Readonly<Record<string, unknown>>, now: number): Approval {
  const request: ApprovalRequest = JSON.parse(String(row['request']));
  const decisions: readonly DatedDecision[] = JSON.parse(String(row['decisions']));
  const [requestedAt, expiresAt] = [Number(row['requested_at']), Number(row['expires_at'])];
  return {
    ...request,
    state: stateAt({ state: storedState(row['state']), expiresAt }, now),
    requestedAt,
    expiresAt,
    decisions,
    usedBy: textOrNull(row['used_by']),
    usedAt: row['used_at'] === null ? null : Number(row['used_at']),
  };
}
