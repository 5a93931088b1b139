import type { Approval, ApprovalRequest } from '../../../core/ports/approval-store.port.js';
import type { Database } from '../driver.js';

/** `request` and `decisions` are JSON. `expired` is not stored: it follows from the time. Times are ms since the epoch. */
export const APPROVAL_TABLES = `
  CREATE TABLE IF NOT EXISTS approval (id TEXT PRIMARY KEY, binding TEXT NOT NULL, principal TEXT NOT NULL,
    state TEXT NOT NULL, requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, request TEXT NOT NULL,
    decisions TEXT NOT NULL, used_by TEXT, used_at INTEGER);
  CREATE INDEX IF NOT EXISTS approval_binding ON approval (binding);
  CREATE INDEX IF NOT EXISTS approval_principal ON approval (principal, state);
  CREATE INDEX IF NOT EXISTS approval_time ON approval (requested_at, id)`;

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
