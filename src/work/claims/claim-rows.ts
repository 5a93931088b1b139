import type {
  Claim,
  ClaimData,
  ClaimDecision,
  LinkedEvidence,
} from './claim-store.port.js';
import type { Scope } from '../../core/scope.js';
import { coverParameters, coversLists } from '../../sqlite/covered-scope.js';
import type { Database } from '../../sqlite/driver.js';
import { type Row, text } from '../../sqlite/row-values.js';
import { USAGE_TABLE } from '../substrate/substrate-usage.js';

/**
 * `piece` and `decision` are JSON; `state` is that of the last decision, for lists. `claim_maker` holds as JSON the scope of
 * the call that made a claim; claims of earlier versions have no row there. Times are ms since the epoch.
 */
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
  CREATE TABLE IF NOT EXISTS claim_maker (claim_id TEXT PRIMARY KEY, made_in TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS claim_data (claim_id TEXT PRIMARY KEY, schema TEXT NOT NULL, version INTEGER NOT NULL,
    json TEXT NOT NULL) WITHOUT ROWID`;

const isOneOf = (column: string, list: string): string =>
  `(:${list} IS NULL OR ${column} IN (SELECT value FROM json_each(:${list})))`;

const MAKER = '(SELECT made_in FROM claim_maker WHERE claim_id = claim.id)';

/**
 * SQL: true for the claims of a place that a scope shows: those whose evidence is all of documents in the scope. A claim
 * without evidence may say anything that its maker could see, so it needs a scope that covers that of the maker.
 */
export const IS_VISIBLE = `project = :projectId AND environment = :environment AND CASE
  WHEN EXISTS (SELECT 1 FROM claim_evidence WHERE claim_id = claim.id)
  THEN NOT EXISTS (SELECT 1 FROM claim_evidence WHERE claim_id = claim.id AND NOT
    (${isOneOf('doc_tag', 'docTags')} AND ${isOneOf('repository', 'repositories')}))
  ELSE ${coversLists(MAKER)} END`;

/** The parameters of `IS_VISIBLE`. */
export const visibleTo = coverParameters;

/** Stores the scope of the call that made a claim. @returns the row */
export function insertMaker(database: Database, claimId: string, scope: Scope): object {
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

/** A claim with its evidence and its decisions. @param row  of the table `claim` */
export function toClaim(database: Database, row: Row): Claim {
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
