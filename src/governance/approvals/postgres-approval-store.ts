import type { Scope } from '../../core/scope.js';
import { beginLocked, type PostgresConnection } from '../../engines/postgres/postgres-connection.js';
import type { RunSql } from '../../engines/postgres/postgres-pool.js';
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

/** A text, as JSON. Quotes in texts are escaped, so names are found as names only. */
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

const textIs = (name: string, value: string): string =>
  `(${value} = '""' OR substring(request from '"${name}":(${TEXT})') = ${value})`;

/** `NULL` for a list that is null, and then not covered. */
const listOf = (name: string): string =>
  String.raw`substring(request from '"${name}":(\[(?:[^"\]]|${TEXT})*\])')`;

const covers = (name: string, value: string): string =>
  `(${value}::text[] IS NULL OR (${listOf(name)} IS NOT NULL AND NOT EXISTS (SELECT
    FROM regexp_matches(${listOf(name)}, '(${TEXT})', 'g') AS item (text) WHERE item.text[1] <> ALL (${value}::text[]))))`;

/**
 * SQL: true for requests that a scope covers, as `scopeCovers` decides it. PostgreSQL's JSON functions refuse some
 * escapes that arguments may have, so texts are compared as they are stored.
 * @param first  the number of the first of five parameters
 */
const isCovered = (first: number): string =>
  [
    textIs('projectId', `$${first}::text`),
    textIs('environment', `$${first + 1}::text`),
    covers('docTags', `$${first + 2}`),
    covers('repositories', `$${first + 3}`),
    coversGroups(`$${first + 4}`),
  ].join(' AND ');

/** A scope without groups has none. Arguments come after the scope; a list in them can only hide a request. */
const coversGroups = (value: string): string =>
  `(NOT (request LIKE '%"groups":%') OR ${covers('groups', value)})`;

const asJson = (list: readonly string[] | null): string[] | null =>
  list && list.map((text) => JSON.stringify(text));

/** The parameters of `isCovered`. */
function coverValues({ projectId, environment, docTags, repositories, groups = [] }: Scope) {
  return [
    JSON.stringify(projectId),
    JSON.stringify(environment),
    asJson(docTags),
    asJson(repositories),
    asJson(groups),
  ] as const;
}

const BEGIN = beginLocked('governance');

const INSERT = `INSERT INTO pith.approval
    (id, binding, principal, state, requested_at, expires_at, request, decisions)
  VALUES ($1, $2, $3, 'pending', $4, $5, $6, '[]')`;
const UPDATE =
  'UPDATE pith.approval SET state = $2, decisions = $3, used_by = $4, used_at = $5 WHERE id = $1';
const PENDING = `SELECT count(*) AS n FROM pith.approval WHERE principal = $1 AND ${stateCondition('pending', '$2')}`;
const LIVE = "SELECT * FROM pith.approval WHERE binding = $1 AND state <> 'used' AND expires_at > $2";

/** Approvals in PostgreSQL, shared by all replicas. Only one process changes them at a time. */
export class PostgresApprovalStore extends ApprovalStore {
  /** @param now  milliseconds since the epoch */
  constructor(
    private readonly connection: PostgresConnection,
    private readonly now: () => number,
  ) {
    super();
  }

  request(request: ApprovalRequest): Promise<Approval> {
    return this.connection.write(BEGIN, async (run) => {
      const now = this.now();
      const { id, binding, principal, lifetimeMs } = request;
      const live = await this.liveOf(run, binding, now);
      if (live) return live;
      const [pending] = await run(PENDING, [principal, now]);
      if (Number(pending?.['n']) >= MAX_PENDING_APPROVALS) throw tooManyPending(MAX_PENDING_APPROVALS);
      await run(INSERT, [id, binding, principal, now, now + lifetimeMs, JSON.stringify(request)]);
      return this.find(run, id);
    });
  }

  get(id: string): Promise<Approval | null> {
    return this.connection.read((run) => this.findOrNull(run, id));
  }

  async list({ state, scope, after, limit }: ApprovalQuery): Promise<Approval[]> {
    const now = this.now();
    const conditions = [
      state === undefined ? 'true' : stateCondition(state, '$2'),
      '($3::text IS NULL OR (requested_at, id) < (SELECT requested_at, id FROM pith.approval WHERE id = $3))',
      scope === undefined ? 'true' : isCovered(4),
      // Each parameter has to be used.
      '$2::bigint IS NOT NULL',
    ];
    const sql = `SELECT * FROM pith.approval WHERE ${conditions.join(' AND ')}
      ORDER BY requested_at DESC, id DESC LIMIT $1`;
    const page = [Math.min(limit, MAX_LISTED_APPROVALS), now, after?.replaceAll('\0', '') ?? null];
    const values = scope === undefined ? page : [...page, ...coverValues(scope)];
    const rows = await this.connection.read((run) => run(sql, values));
    return rows.map((row) => approvalOf(row, now));
  }

  decide(id: string, decision: ApprovalDecision): Promise<Approval> {
    return this.connection.write(BEGIN, async (run) => {
      const decided = decideApproval(await this.find(run, id), { ...decision, at: this.now() });
      await update(run, decided);
      return decided;
    });
  }

  consume(use: ApprovalUse): Promise<Approval | null> {
    return this.connection.write(BEGIN, async (run) => {
      const now = this.now();
      const used = useApproval(await this.liveOf(run, use.binding, now), use, now);
      if (used) await update(run, used);
      return used;
    });
  }

  purge(before: number): Promise<number> {
    return this.connection.write(BEGIN, async (run) => {
      const removed = await run('DELETE FROM pith.approval WHERE expires_at < $1 RETURNING id', [before]);
      return removed.length;
    });
  }

  async check(): Promise<void> {
    await this.list({ limit: 1 });
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /** The request with a binding that is pending, approved or rejected. There is at most one. */
  private async liveOf(run: RunSql, binding: string, now: number): Promise<Approval | null> {
    const [row] = await run(LIVE, [binding, now]);
    return row ? approvalOf(row, now) : null;
  }

  private async findOrNull(run: RunSql, id: string): Promise<Approval | null> {
    // PostgreSQL refuses NUL in texts. Ids come from people.
    if (id.includes('\0')) return null;
    const [row] = await run('SELECT * FROM pith.approval WHERE id = $1', [id]);
    return row ? approvalOf(row, this.now()) : null;
  }

  private async find(run: RunSql, id: string): Promise<Approval> {
    const found = await this.findOrNull(run, id);
    if (!found) throw unknownApproval();
    return found;
  }
}

async function update(run: RunSql, { id, state, decisions, usedBy, usedAt }: Approval): Promise<void> {
  await run(UPDATE, [id, state, JSON.stringify(decisions), usedBy, usedAt]);
}
