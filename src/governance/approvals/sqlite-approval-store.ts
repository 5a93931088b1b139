import { coverParameters, coversScope } from '../../sqlite/covered-scope.js';
import type { Database } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { GOVERNANCE_STORE, type GovernancePlace } from '../governance-store.js';
import { approvalOf, stateCondition } from './approval-row.js';
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalQuery,
  type ApprovalRequest,
  ApprovalStore,
  type ApprovalUse,
  MAX_LISTED_APPROVALS,
  MAX_PENDING_APPROVALS,
} from './approval-store.port.js';
import { decideApproval, tooManyPending, unknownApproval, useApproval } from './decide-approval.js';

/** `request` and `decisions` are JSON. `expired` is not stored: it follows from the time. Times are ms since the epoch. */
const APPROVAL_TABLES = `
  CREATE TABLE IF NOT EXISTS approval (id TEXT PRIMARY KEY, binding TEXT NOT NULL, principal TEXT NOT NULL,
    state TEXT NOT NULL, requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, request TEXT NOT NULL,
    decisions TEXT NOT NULL, used_by TEXT, used_at INTEGER);
  CREATE INDEX IF NOT EXISTS approval_binding ON approval (binding);
  CREATE INDEX IF NOT EXISTS approval_principal ON approval (principal, state);
  CREATE INDEX IF NOT EXISTS approval_time ON approval (requested_at, id)`;

/** Adds a pending request. */
function insertApproval(database: Database, request: ApprovalRequest, now: number): void {
  const { id, binding, principal, lifetimeMs } = request;
  database
    .prepare(
      `INSERT INTO approval (id, binding, principal, state, requested_at, expires_at, request, decisions)
       VALUES (?, ?, ?, 'pending', ?, ?, ?, '[]')`,
    )
    .run(id, binding, principal, now, now + lifetimeMs, JSON.stringify(request));
}

/** Stores state, decisions and use of a request. */
function updateApproval(database: Database, { id, state, decisions, usedBy, usedAt }: Approval): void {
  database
    .prepare('UPDATE approval SET state = ?, decisions = ?, used_by = ?, used_at = ? WHERE id = ?')
    .run(state, JSON.stringify(decisions), usedBy, usedAt, id);
}

export interface SqliteApprovalsOptions extends GovernancePlace {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Approvals in an SQLite file, which several processes may use at once. */
export class SqliteApprovalStore extends ApprovalStore {
  private readonly store: StoreFile;

  constructor(private readonly options: SqliteApprovalsOptions) {
    super();
    this.store = new StoreFile({ kind: GOVERNANCE_STORE, ...options, tables: APPROVAL_TABLES });
  }

  request(request: ApprovalRequest): Promise<Approval> {
    return this.store.write((database) => {
      const now = this.options.now();
      const live = this.liveOf(database, request.binding, now);
      if (live) return live;
      const { principal } = request;
      const pending = database
        .prepare(
          `SELECT count(*) AS n FROM approval WHERE principal = :principal AND ${stateCondition('pending', ':now')}`,
        )
        .get({ principal, now })?.['n'];
      if (Number(pending) >= MAX_PENDING_APPROVALS) throw tooManyPending(MAX_PENDING_APPROVALS);
      insertApproval(database, request, now);
      return this.find(database, request.id);
    });
  }

  get(id: string): Promise<Approval | null> {
    return this.store.read((database) => this.findOrNull(database, id));
  }

  list({ state, scope, after, limit }: ApprovalQuery): Promise<Approval[]> {
    const now = this.options.now();
    const conditions = [
      state === undefined ? 'TRUE' : stateCondition(state, ':now'),
      scope === undefined ? 'TRUE' : coversScope('request'),
      after === undefined
        ? 'TRUE'
        : '(requested_at, id) < (SELECT requested_at, id FROM approval WHERE id = :after)',
    ];
    const where = conditions.join(' AND ');
    const values = {
      ...(where.includes(':now') ? { now } : {}),
      ...(after === undefined ? {} : { after }),
      ...(scope === undefined ? {} : coverParameters(scope)),
      limit: Math.min(limit, MAX_LISTED_APPROVALS),
    };
    return this.store.read((database) =>
      database
        .prepare(`SELECT * FROM approval WHERE ${where} ORDER BY requested_at DESC, id DESC LIMIT :limit`)
        .all(values)
        .map((row) => approvalOf(row, now)),
    );
  }

  decide(id: string, decision: ApprovalDecision): Promise<Approval> {
    return this.store.write((database) => {
      const decided = decideApproval(this.find(database, id), { ...decision, at: this.options.now() });
      updateApproval(database, decided);
      return decided;
    });
  }

  consume(use: ApprovalUse): Promise<Approval | null> {
    return this.store.write((database) => {
      const now = this.options.now();
      const used = useApproval(this.liveOf(database, use.binding, now), use, now);
      if (used) updateApproval(database, used);
      return used;
    });
  }

  purge(before: number): Promise<number> {
    return this.store.write((database) =>
      Number(database.prepare('DELETE FROM approval WHERE expires_at < ?').run(before).changes),
    );
  }

  async check(): Promise<void> {
    await this.list({ limit: 1 });
  }

  async close(): Promise<void> {
    this.store.close();
  }

  /** The request with a binding that is pending, approved or rejected. There is at most one. */
  private liveOf(database: Database, binding: string, now: number): Approval | null {
    const row = database
      .prepare("SELECT * FROM approval WHERE binding = ? AND state <> 'used' AND expires_at > ?")
      .get(binding, now);
    return row ? approvalOf(row, now) : null;
  }

  private findOrNull(database: Database, id: string): Approval | null {
    const row = database.prepare('SELECT * FROM approval WHERE id = ?').get(id);
    return row ? approvalOf(row, this.options.now()) : null;
  }

  private find(database: Database, id: string): Approval {
    const found = this.findOrNull(database, id);
    if (!found) throw unknownApproval();
    return found;
  }
}
