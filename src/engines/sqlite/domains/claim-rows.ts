import type {
  Claim,
  ClaimData,
  ClaimDecision,
  LinkedEvidence,
} from '../../../core/ports/work/claim-store.port.js';
import { type Scope, scopeAllows } from '../../../core/scope.js';
import type { Database } from '../driver.js';
import { type Row, text } from '../row-values.js';
import { USAGE_TABLE } from './substrate-usage.js';

/** `piece` and `decision` are JSON; `state` is that of the last decision, for lists. Times are ms since the epoch. */
export const CLAIM_TABLES = `${USAGE_TABLE};
  CREATE TABLE IF NOT EXISTS claim (id TEXT PRIMARY KEY, project TEXT NOT NULL, environment TEXT NOT NULL,
    position INTEGER NOT NULL, state TEXT NOT NULL, statement TEXT NOT NULL, created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL, UNIQUE (project, environment, position)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_evidence (claim_id TEXT NOT NULL, id TEXT NOT NULL,
    position INTEGER NOT NULL, doc_tag TEXT NOT NULL,
    repository TEXT NOT NULL, added_by TEXT NOT NULL, piece TEXT NOT NULL,
    PRIMARY KEY (claim_id, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_decision (claim_id TEXT NOT NULL, number INTEGER NOT NULL, decision TEXT NOT NULL,
    PRIMARY KEY (claim_id, number)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_data (claim_id TEXT PRIMARY KEY, schema TEXT NOT NULL, version INTEGER NOT NULL,
    json TEXT NOT NULL) WITHOUT ROWID`;

const ONE_OF = (column: string, values: readonly string[] | null): string =>
  values === null ? 'TRUE' : `${column} IN (${values.map(() => '?').join(', ')})`;

/** Parses what this version has stored. */
function parsed<T>(row: Row, column: string): T {
  return JSON.parse(text(row[column])) as T;
}

/** The pieces of a claim whose documents are in the scope: in the query, and again on the rows. */
function visibleEvidence(database: Database, scope: Scope, id: string): LinkedEvidence[] {
  const { docTags, repositories } = scope;
  return database
    .prepare(
      `SELECT piece FROM claim_evidence WHERE claim_id = ? AND ${ONE_OF('doc_tag', docTags)}
       AND ${ONE_OF('repository', repositories)} ORDER BY position`,
    )
    .all(id, ...(docTags ?? []), ...(repositories ?? []))
    .map((row) => parsed<LinkedEvidence>(row, 'piece'))
    .filter((piece) => scopeAllows(scope, piece));
}

/** Decisions of earlier versions have no `approvedAt`; `at` stands for it. */
function decisionOf(row: Row): ClaimDecision {
  const decision = parsed<ClaimDecision>(row, 'decision');
  return { ...decision, approvedAt: decision.approvedAt ?? decision.at };
}

/** Stores the data of a new claim. @returns the row */
export function insertData(database: Database, claimId: string, { schema, json }: ClaimData): object {
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

/** A claim with its visible evidence and its decisions. @param row  of the table `claim` */
export function toClaim(database: Database, scope: Scope, row: Row): Claim {
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
    evidence: visibleEvidence(database, scope, id),
    decisions,
  };
}
