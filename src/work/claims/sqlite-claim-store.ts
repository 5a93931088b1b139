import { BudgetExceededError } from '../../core/errors.js';
import {
  type Claim,
  type ClaimDecision,
  type ClaimQuery,
  ClaimStore,
  type LinkedEvidence,
  MAX_DECISIONS,
  MAX_EVIDENCE,
  type NewClaim,
  type NewEvidence,
} from './claim-store.port.js';
import type { Scope } from '../../core/scope.js';
import { decisionsFull } from './claim-failures.js';
import type { Database } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { CLAIM_TABLES, insertData, insertMaker, IS_VISIBLE, toClaim, visibleTo } from './claim-rows.js';
import { chargeRow } from '../substrate/substrate-usage.js';
import { type BoundedWorkPlace, WORK_STORE } from '../work-store.js';

const FIND = `SELECT * FROM claim WHERE id = :id AND ${IS_VISIBLE}`;

const datedEvidence = (evidence: readonly NewEvidence[], addedAt: number): LinkedEvidence[] =>
  evidence.map((piece) => ({ ...piece, addedAt }));

/** @returns the rows that are new */
function insertEvidence(
  database: Database,
  claimId: string,
  evidence: readonly LinkedEvidence[],
): readonly object[] {
  const added: object[] = [];
  const insert = database.prepare(
    `INSERT OR IGNORE INTO claim_evidence (claim_id, id, position, doc_tag, repository, added_by, piece)
     SELECT ?, ?, 1 + coalesce(max(position), 0), ?, ?, ?, ? FROM claim_evidence WHERE claim_id = ?`,
  );
  const count = database.prepare(
    'SELECT count(*) AS n FROM claim_evidence WHERE claim_id = ? AND added_by = ?',
  );
  for (const piece of evidence) {
    const { id, docTag, repository, addedBy } = piece;
    const row = [claimId, id, docTag, repository, addedBy, JSON.stringify(piece)];
    const { changes } = insert.run(...row, claimId);
    if (Number(changes) > 0) added.push(row);
    if (Number(count.get(claimId, addedBy)?.['n']) <= MAX_EVIDENCE) continue;
    throw new BudgetExceededError(`You can link at most ${MAX_EVIDENCE} pieces of evidence to a claim.`, {
      reason: 'evidence_full',
      hint: 'Make another claim for further evidence.',
    });
  }
  return added;
}

/** Claims in an SQLite file, which several processes may use at once. */
export class SqliteClaimStore extends ClaimStore {
  private readonly store: StoreFile;

  constructor(private readonly options: BoundedWorkPlace) {
    super();
    this.store = new StoreFile({ kind: WORK_STORE, ...options, tables: CLAIM_TABLES });
  }

  create(scope: Scope, claim: NewClaim, evidence: readonly NewEvidence[]): Promise<Claim> {
    const { projectId, environment } = scope;
    const { id, statement, data, createdBy } = claim;
    return this.store.write((database) => {
      const createdAt = this.options.now();
      database
        .prepare(
          `INSERT INTO claim (id, project, environment, position, state, statement, created_by, created_at)
           SELECT ?, ?, ?, 1 + coalesce(max(position), 0), 'open', ?, ?, ? FROM claim
           WHERE project = ? AND environment = ?`,
        )
        .run(id, projectId, environment, statement, createdBy, createdAt, projectId, environment);
      this.charge(database, scope, [
        [id, projectId, environment, statement, createdBy],
        insertMaker(database, id, scope),
        ...(data ? [insertData(database, id, data)] : []),
        ...insertEvidence(database, id, datedEvidence(evidence, createdAt)),
      ]);
      return toClaim(database, database.prepare('SELECT * FROM claim WHERE id = ?').get(id) ?? {});
    });
  }

  link(scope: Scope, id: string, evidence: readonly NewEvidence[]): Promise<Claim | null> {
    return this.store.write((database) => {
      if (!this.find(database, scope, id)) return null;
      const pieces = datedEvidence(evidence, this.options.now());
      this.charge(database, scope, insertEvidence(database, id, pieces));
      return this.find(database, scope, id);
    });
  }

  get(scope: Scope, id: string): Promise<Claim | null> {
    return this.store.read((database) => this.find(database, scope, id));
  }

  list(scope: Scope, { state, before, limit }: ClaimQuery): Promise<Claim[]> {
    const conditions = [
      IS_VISIBLE,
      ...(state === undefined ? [] : ['state = :state']),
      ...(before === undefined ? [] : ['position < :before']),
    ];
    const values = {
      ...visibleTo(scope),
      ...(state === undefined ? {} : { state }),
      ...(before === undefined ? {} : { before }),
      limit,
    };
    return this.store.read((database) =>
      database
        .prepare(`SELECT * FROM claim WHERE ${conditions.join(' AND ')} ORDER BY position DESC LIMIT :limit`)
        .all(values)
        .map((row) => toClaim(database, row)),
    );
  }

  decide(scope: Scope, id: string, decision: Omit<ClaimDecision, 'at'>): Promise<Claim | null> {
    return this.store.write((database) => {
      const claim = this.find(database, scope, id);
      if (!claim) return null;
      if (claim.decisions.length >= MAX_DECISIONS) throw decisionsFull();
      database
        .prepare('INSERT INTO claim_decision (claim_id, number, decision) VALUES (?, ?, ?)')
        .run(id, claim.decisions.length + 1, JSON.stringify({ ...decision, at: this.options.now() }));
      database.prepare('UPDATE claim SET state = ? WHERE id = ?').run(decision.verdict, id);
      return this.find(database, scope, id);
    });
  }

  async close(): Promise<void> {
    this.store.close();
  }

  private charge(database: Database, scope: Scope, rows: readonly object[]): void {
    for (const row of rows) chargeRow(database, scope, { row, max: this.options.maxBytes });
  }

  private find(database: Database, scope: Scope, id: string): Claim | null {
    const row = database.prepare(FIND).get({ id, ...visibleTo(scope) });
    return row ? toClaim(database, row) : null;
  }
}
