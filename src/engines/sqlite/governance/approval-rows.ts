import type {
  Approval,
  ApprovalRequest,
  ApprovalState,
  DatedDecision,
} from '../../../core/ports/approval-store.port.js';
import { stateAt } from '../../../governance/approvals/decide-approval.js';
import type { Database } from '../driver.js';
import { type Row, textOrNull } from '../row-values.js';

/** `request` and `decisions` are JSON. `expired` is not stored: it follows from the time. Times are ms since the epoch. */
export const APPROVAL_TABLES = `
  CREATE TABLE IF NOT EXISTS approval (id TEXT PRIMARY KEY, binding TEXT NOT NULL, principal TEXT NOT NULL,
    state TEXT NOT NULL, requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, request TEXT NOT NULL,
    decisions TEXT NOT NULL, used_by TEXT, used_at INTEGER);
  CREATE INDEX IF NOT EXISTS approval_binding ON approval (binding);
  CREATE INDEX IF NOT EXISTS approval_principal ON approval (principal, state);
  CREATE INDEX IF NOT EXISTS approval_time ON approval (requested_at, id)`;

/** The condition for rows in a state at the time `:now`. */
export const STATE_CONDITIONS: Readonly<Record<ApprovalState, string>> = {
  pending: "state = 'pending' AND expires_at > :now",
  approved: "state = 'approved' AND expires_at > :now",
  rejected: "state = 'rejected'",
  expired: "state IN ('pending', 'approved') AND expires_at <= :now",
  used: "state = 'used'",
};

const storedState = (value: unknown): Exclude<ApprovalState, 'expired'> =>
  value === 'approved' || value === 'rejected' || value === 'used' ? value : 'pending';

/** A row as a request, in its state at a time. */
export function approvalOf(row: Row, now: number): Approval {
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

/** Adds a pending request. */
export function insertApproval(database: Database, request: ApprovalRequest, now: number): void {
  const { id, binding, principal, lifetimeMs } = request;
  database
    .prepare(
      `INSERT INTO approval (id, binding, principal, state, requested_at, expires_at, request, decisions)
       VALUES (?, ?, ?, 'pending', ?, ?, ?, '[]')`,
    )
    .run(id, binding, principal, now, now + lifetimeMs, JSON.stringify(request));
}

/** Stores state, decisions and use of a request. */
export function updateApproval(database: Database, { id, state, decisions, usedBy, usedAt }: Approval): void {
  database
    .prepare('UPDATE approval SET state = ?, decisions = ?, used_by = ?, used_at = ? WHERE id = ?')
    .run(state, JSON.stringify(decisions), usedBy, usedAt, id);
}
