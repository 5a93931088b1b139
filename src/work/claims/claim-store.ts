import { BudgetExceededError } from '../../core/errors.js';
import type { Scope } from '../../core/scope.js';
import { coverParameters, coversLists } from '../../sqlite/covered-scope.js';
import { type Database, type Row, text } from '../../sqlite/driver.js';
import { StoreFile } from '../../sqlite/stores/store-file.js';
import { chargeRow, USAGE_TABLE } from '../substrate/substrate-usage.js';
import { type BoundedWorkPlace, WORK_STORE } from '../work-space.js';
import {
  type Claim,
  type ClaimData,
  type ClaimDecision,
  type ClaimQuery,
  type LinkedEvidence,
  MAX_DECISIONS,
  MAX_EVIDENCE,
  type NewClaim,
  type NewEvidence,
} from './claim.js';

/** A claim has all the decisions that it can have. */
export function decisionsFull(): BudgetExceededError {
  return new BudgetExceededError(`A claim can be decided at most ${MAX_DECISIONS} times.`, {
    reason: 'decisions_full',
    hint: 'Make another claim.',
  });
}

/**
 * `piece` and `decision` are JSON; `state` is that of the last decision, for lists. `claim_maker` holds as JSON the scope of
 * the call that made a claim; claims of earlier versions have no row there. Times are ms since the epoch.
 */
const CLAIM_TABLES = `${USAGE_TABLE};
  CREATE TABLE IF NOT EXISTS claim (id TEXT PRIMARY KEY, project TEXT NOT NULL, environment TEXT NOT NULL,
    position INTEGER NOT NULL, state TEXT NOT NULL, statement TEXT NOT NULL, created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL, UNIQUE (project, environment, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_evidence (claim_id TEXT NOT NULL, id TEXT NOT NULL,
    position INTEGER NOT NULL, doc_tag TEXT NOT NULL,
    repository TEXT NOT NULL, added_by TEXT NOT NULL, piece TEXT NOT NULL,
    PRIMARY KEY (claim_id, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_decision (claim_id TEXT NOT NULL, number INTEGER NOT NULL, decision TEXT NOT NULL,
    PRIMARY KEY (claim_id, number)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_maker (claim_id TEXT PRIMARY KEY, made_in TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_data (claim_id TEXT PRIMARY KEY, schema TEXT NOT NULL, version INTEGER NOT NULL,
    json TEXT NOT NULL) WITHOUT ROWID`;

const isOneOf = (column: string, list: string): string =>
  `(:${list} IS NULL OR ${column} IN (SELECT value FROM json_each(:${list})))`;

/** SQL: true if the document of a piece of evidence had no list of groups without a group of the caller when it was linked. */
const HAS_GROUPS = `(:groups IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(piece, '$.allow') list WHERE NOT EXISTS (
  SELECT 1 FROM json_each(list.value) item WHERE item.value IN (SELECT value FROM json_each(:groups)))))`;

const MAKER = '(SELECT made_in FROM claim_maker WHERE claim_id = claim.id)';

/**
 * SQL: true for the claims of a place that a scope shows: those whose evidence is all of documents in the scope. A claim
 * without evidence may say anything that its maker could see, so it needs a scope that covers that of the maker.
 */
const IS_VISIBLE = `project = :projectId AND environment = :environment AND CASE
  WHEN EXISTS (SELECT 1 FROM claim_evidence WHERE claim_id = claim.id)
  THEN NOT EXISTS (SELECT 1 FROM claim_evidence WHERE claim_id = claim.id AND NOT
    (${isOneOf('doc_tag', 'docTags')} AND ${isOneOf('repository', 'repositories')} AND ${HAS_GROUPS}))
  ELSE ${coversLists(MAKER)} END`;

/** The parameters of `IS_VISIBLE`. */
const visibleTo = coverParameters;

/** Stores the scope of the call that made a claim. @returns the row */
function insertMaker(database: Database, claimId: string, scope: Scope): object {
  const row = [claimId, JSON.stringify({ scope })];
  database.prepare('INSERT INTO claim_maker (claim_id, made_in) VALUES (?, ?)').run(...row);
  return row;
}

/** Parses what this version has stored. */
function parsed<T>(row: Row, column: string): T {
  return JSON.parse(text(row[column])) as T;
}

function evidenceOf(database: Database, id: string): LinkedEvidence[] {
  return database
    .prepare('SELECT piece FROM claim_evidence WHERE claim_id = ? ORDER BY position')
    .all(id)
    .map((row) => parsed<LinkedEvidence>(row, 'piece'));
}

/** Decisions of earlier versions have no `approvedAt`; `at` stands for it. */
function decisionOf(row: Row): ClaimDecision {
  const decision = parsed<ClaimDecision>(row, 'decision');
  return { ...decision, approvedAt: decision.approvedAt ?? decision.at };
}

/** Stores the data of a new claim. @returns the row */
function insertData(database: Database, claimId: string, { schema, json }: ClaimData): object {
  const row = [claimId, schema.name, schema.version, json];
  database
    .prepare('INSERT INTO claim_data (claim_id, schema, version, json) VALUES (?, ?, ?, ?)')
    .run(...row);
  return row;
}

function dataOf(database: Database, claimId: string): ClaimData | null {
  const row = database.prepare('SELECT * FROM claim_data WHERE claim_id = ?').get(claimId);
  if (!row) return null;
  const schema = { name: text(row['schema']), version: Number(row['version']) };
  return { schema, json: text(row['json']) };
}

/** A claim with its evidence and its decisions. @param row  of the table `claim` */
function toClaim(database: Database, row: Row): Claim {
  const id = text(row['id']);
  const decisions = database
    .prepare('SELECT decision FROM claim_decision WHERE claim_id = ? ORDER BY number')
    .all(id)
    .map(decisionOf);
  return {
    id,
    statement: text(row['statement']),
    data: dataOf(database, id),
    createdBy: text(row['created_by']),
    createdAt: Number(row['created_at']),
    state: decisions.at(-1)?.verdict ?? 'open',
    position: Number(row['position']),
    evidence: evidenceOf(database, id),
    decisions,
  };
}

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

/**
 * Stores claims, evidence and decisions. A claim belongs to the project and environment of the scope; all other claims are
 * unknown, as are those with evidence of a document outside the scope. A claim without evidence is known where everything
 * is visible that its maker could see. Several processes may share one store; each method is
 * atomic among them, and what it stored is on the disk when it resolves.
 * All methods throw BackendUnavailableError if the store can't be used.
 */
export class ClaimStore {
  private readonly store: StoreFile;

  constructor(private readonly options: BoundedWorkPlace) {
    this.store = new StoreFile({ kind: WORK_STORE, ...options, tables: CLAIM_TABLES });
  }

  /** @throws BudgetExceededError `evidence_full`, `substrate_full` */
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

  /**
   * Adds pieces of one principal; those that are stored already stay as they are.
   * @returns null for an unknown claim
   * @throws BudgetExceededError `evidence_full`, `substrate_full`
   */
  link(scope: Scope, id: string, evidence: readonly NewEvidence[]): Promise<Claim | null> {
    return this.store.write((database) => {
      if (!this.find(database, scope, id)) return null;
      const pieces = datedEvidence(evidence, this.options.now());
      this.charge(database, scope, insertEvidence(database, id, pieces));
      return this.find(database, scope, id);
    });
  }

  /** @returns null for an unknown claim */
  get(scope: Scope, id: string): Promise<Claim | null> {
    return this.store.read((database) => this.find(database, scope, id));
  }

  /** Latest first. */
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

  /**
   * Adds a decision; earlier ones are kept.
   * @returns null for an unknown claim
   * @throws BudgetExceededError `decisions_full`
   */
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
