import { scopeCovers } from '../../core/scope.js';
import { textOrNull } from '../../sqlite/driver.js';
import type { Sql, SqlDatabase, SqlRow } from '../../sqlite/stores/sql-database.port.js';
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalQuery,
  type ApprovalRequest,
  type ApprovalState,
  type ApprovalUse,
  type DatedDecision,
  MAX_LISTED_APPROVALS,
  MAX_PENDING_APPROVALS,
} from './approval.js';
import { decideApproval, stateAt, tooManyPending, unknownApproval, useApproval } from './decide-approval.js';

/** The condition for rows in a state at the time `:now`. */
function stateCondition(state: ApprovalState): string {
  if (state === 'expired') return `state IN ('pending', 'approved') AND expires_at <= :now`;
  const isOpen = state === 'pending' || state === 'approved';
  return `state = '${state}'${isOpen ? ' AND expires_at > :now' : ''}`;
}

const storedState = (value: unknown): Exclude<ApprovalState, 'expired'> =>
  value === 'approved' || value === 'rejected' || value === 'used' ? value : 'pending';

/** A row as a request, in its state at a time. */
function approvalOf(row: SqlRow, now: number): Approval {
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

async function update(sql: Sql, { id, state, decisions, usedBy, usedAt }: Approval): Promise<void> {
  const statement = `UPDATE approval SET state = :state, decisions = :decisions, used_by = :usedBy, used_at = :usedAt
    WHERE id = :id`;
  await sql(statement, { id, state, decisions: JSON.stringify(decisions), usedBy, usedAt });
}

interface ApprovalPage {
  readonly state: ApprovalState | undefined;
  /** As in `ApprovalQuery`. */
  after: string | undefined;
  readonly limit: number;
}

/**
 * Stores requests for approval and decisions. Several processes may share one database; each method is atomic among them.
 * All methods throw BackendUnavailableError if the database can't be used.
 */
export class ApprovalStore {
  /** @param now  milliseconds since the epoch */
  constructor(
    private readonly database: SqlDatabase,
    private readonly now: () => number,
  ) {}

  /**
   * Stores a request, unless one with its binding is pending, approved or rejected and its time is not over.
   * @returns the new request, or the earlier one; the ids differ
   * @throws BudgetExceededError `approvals_pending` if the principal has `MAX_PENDING_APPROVALS` pending requests
   */
  request(request: ApprovalRequest): Promise<Approval> {
    return this.database.write(async (sql) => {
      const now = this.now();
      const { id, binding, principal, lifetimeMs } = request;
      const live = await this.liveOf(sql, binding, now);
      if (live) return live;
      const [pending] = await sql(
        `SELECT count(*) AS n FROM approval WHERE principal = :principal AND ${stateCondition('pending')}`,
        { principal, now },
      );
      if (Number(pending?.['n']) >= MAX_PENDING_APPROVALS) throw tooManyPending(MAX_PENDING_APPROVALS);
      await sql(
        `INSERT INTO approval (id, binding, principal, state, requested_at, expires_at, request, decisions)
         VALUES (:id, :binding, :principal, 'pending', :now, :expiresAt, :request, '[]')`,
        { id, binding, principal, now, expiresAt: now + lifetimeMs, request: JSON.stringify(request) },
      );
      return this.find(sql, id);
    });
  }

  /** The request with an id; null for an unknown one. */
  get(id: string): Promise<Approval | null> {
    return this.database.read((sql) => this.findOrNull(sql, id));
  }

  /** Newest first; requests of the same time by id, descending. */
  list({ scope, state, after, limit }: ApprovalQuery): Promise<Approval[]> {
    const count = Math.min(limit, MAX_LISTED_APPROVALS);
    return this.database.read(async (sql) => {
      const found: Approval[] = [];
      const page = { state, after, limit: scope === undefined ? count : MAX_LISTED_APPROVALS };
      for (;;) {
        const rows = await this.page(sql, page);
        found.push(...rows.filter((row) => scope === undefined || scopeCovers(scope, row.scope)));
        page.after = rows.at(-1)?.id;
        if (found.length >= count || rows.length < page.limit) return found.slice(0, count);
      }
    });
  }

  /**
   * Records a decision by the rules of `decideApproval`.
   * @returns the request after the decision
   * @throws InvalidArgumentError `approval_not_found`, `approval_not_pending`, `approval_not_granted`, `approval_already_decided`;
   *   ScopeViolationError `approver_mismatch`, `own_call`
   */
  decide(id: string, decision: ApprovalDecision): Promise<Approval> {
    return this.database.write(async (sql) => {
      const decided = decideApproval(await this.find(sql, id), { ...decision, at: this.now() });
      await update(sql, decided);
      return decided;
    });
  }

  /** Marks a granted approval as used, once. @returns null if there is none that was granted and has not expired */
  consume(use: ApprovalUse): Promise<Approval | null> {
    return this.database.write(async (sql) => {
      const now = this.now();
      const used = useApproval(await this.liveOf(sql, use.binding, now), use, now);
      if (used) await update(sql, used);
      return used;
    });
  }

  /** Removes requests that expired before a time (ms since the epoch). @returns their number */
  purge(before: number): Promise<number> {
    return this.database.write(async (sql) => {
      const removed = await sql('DELETE FROM approval WHERE expires_at < :before RETURNING id', { before });
      return removed.length;
    });
  }

  /** Fails if the store can't be used. */
  async check(): Promise<void> {
    await this.list({ limit: 1 });
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private async page(sql: Sql, { state, after, limit }: ApprovalPage): Promise<Approval[]> {
    const now = this.now();
    const conditions = [
      state === undefined ? 'TRUE' : stateCondition(state),
      after === undefined
        ? 'TRUE'
        : '(requested_at, id) < (SELECT requested_at, id FROM approval WHERE id = :after)',
    ];
    const where = conditions.join(' AND ');
    const rows = await sql(
      `SELECT * FROM approval WHERE ${where} ORDER BY requested_at DESC, id DESC LIMIT :limit`,
      {
        limit,
        ...(where.includes(':now') ? { now } : {}),
        ...(after === undefined ? {} : { after }),
      },
    );
    return rows.map((row) => approvalOf(row, now));
  }

  /** The request with a binding that is pending, approved or rejected. There is at most one. */
  private async liveOf(sql: Sql, binding: string, now: number): Promise<Approval | null> {
    const statement =
      "SELECT * FROM approval WHERE binding = :binding AND state <> 'used' AND expires_at > :now";
    const [row] = await sql(statement, { binding, now });
    return row ? approvalOf(row, now) : null;
  }

  private async findOrNull(sql: Sql, id: string): Promise<Approval | null> {
    const [row] = await sql('SELECT * FROM approval WHERE id = :id', { id });
    return row ? approvalOf(row, this.now()) : null;
  }

  private async find(sql: Sql, id: string): Promise<Approval> {
    const found = await this.findOrNull(sql, id);
    if (!found) throw unknownApproval();
    return found;
  }
}
