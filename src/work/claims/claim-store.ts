import { rowsByKey } from '../../core/collections/group-rows.js';
import { BudgetExceededError } from '../../core/errors.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import type { Scope } from '../../core/scope.js';
import { text } from '../../sqlite/driver.js';
import { isOneOf, type Sql, type SqlRow } from '../../sqlite/stores/sql-database.port.js';
import { chargeRows } from '../substrate/substrate-usage.js';
import {
  type BoundedWork,
  IN_SPACE,
  newestVisible,
  nextPosition,
  parsed,
  spaceValues,
} from '../work-rows.js';
import {
  type Claim,
  type ClaimData,
  type ClaimDecision,
  type ClaimQuery,
  type FoundClaim,
  isVisible,
  type LinkedEvidence,
  MAX_DECISIONS,
  MAX_EVIDENCE,
  type NewClaim,
  type NewEvidence,
  visibleClaims,
} from './claim.js';

/** A claim has all the decisions that it can have. */
export function decisionsFull(): BudgetExceededError {
  return new BudgetExceededError(`A claim can be decided at most ${MAX_DECISIONS} times.`, {
    reason: 'decisions_full',
    hint: 'Make another claim.',
  });
}

/** Decisions of earlier versions have no `approvedAt`; `at` stands for it. */
function decisionOf(row: SqlRow): ClaimDecision {
  const decision = parsed<ClaimDecision>(row, 'decision');
  return { ...decision, approvedAt: decision.approvedAt ?? decision.at };
}

function dataOf(row: SqlRow | undefined): ClaimData | null {
  if (!row) return null;
  const schema = { name: text(row['schema']), version: Number(row['version']) };
  return { schema, json: text(row['json']) };
}

/** Claims with their evidence and decisions. @param rows  of the table `claim` */
async function findClaims(sql: Sql, rows: readonly SqlRow[]): Promise<FoundClaim[]> {
  const { condition, values } = isOneOf(
    'claim_id',
    rows.map((row) => text(row['id'])),
  );
  const rowsOf = async (table: string, order = 'claim_id') => {
    const found = await sql(`SELECT * FROM ${table} WHERE ${condition} ORDER BY ${order}`, values);
    return rowsByKey(found, (row) => text(row['claim_id']));
  };
  const evidence = await rowsOf('claim_evidence', 'position');
  const decided = await rowsOf('claim_decision', 'number');
  const data = await rowsOf('claim_data');
  const makers = await rowsOf('claim_maker');
  return rows.map((row) => {
    const id = text(row['id']);
    const decisions = (decided.get(id) ?? []).map(decisionOf);
    const [maker] = makers.get(id) ?? [];
    return {
      id,
      statement: text(row['statement']),
      data: dataOf(data.get(id)?.[0]),
      createdBy: text(row['created_by']),
      createdAt: Number(row['created_at']),
      state: decisions.at(-1)?.verdict ?? 'open',
      position: Number(row['position']),
      evidence: (evidence.get(id) ?? []).map((piece) => parsed<LinkedEvidence>(piece, 'piece')),
      decisions,
      madeIn: maker ? parsed<{ scope: Scope }>(maker, 'made_in').scope : null,
    };
  });
}

const withoutMaker = ({ madeIn: _, ...claim }: FoundClaim): Claim => claim;
const bare = (claim: FoundClaim | null): Claim | null => claim && withoutMaker(claim);

async function find(sql: Sql, scope: Scope, id: string): Promise<FoundClaim | null> {
  const rows = await sql(`SELECT * FROM claim WHERE id = :id AND ${IN_SPACE}`, { id, ...spaceValues(scope) });
  const [claim] = await findClaims(sql, rows);
  return claim && isVisible(scope, claim) ? claim : null;
}

/** Adds all rows with one statement, because others wait for this transaction. */
async function insertPieces(
  sql: Sql,
  rows: readonly Readonly<Record<string, string | number>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = ['claimId', 'id', 'position', 'docTag', 'repository', 'addedBy', 'piece'];
  const lines = rows.map((_, i) => `(${names.map((name) => `:${name}${i}`).join(', ')})`);
  const values = rows.flatMap((row, i) => names.map((name) => [`${name}${i}`, row[name] ?? ''] as const));
  await sql(
    `INSERT INTO claim_evidence (claim_id, id, position, doc_tag, repository, added_by, piece)
     VALUES ${lines.join(', ')}`,
    Object.fromEntries(values),
  );
}

/** @returns the rows that are new @throws BudgetExceededError `evidence_full` */
async function insertEvidence(
  sql: Sql,
  claimId: string,
  evidence: readonly LinkedEvidence[],
): Promise<readonly object[]> {
  const stored = await sql('SELECT id, position, added_by FROM claim_evidence WHERE claim_id = :claimId', {
    claimId,
  });
  const ids = new Set(stored.map((row) => text(row['id'])));
  const adders = stored.map((row) => text(row['added_by']));
  let position = Math.max(0, ...stored.map((row) => Number(row['position'])));
  const added = [];
  for (const piece of evidence) {
    const { id, docTag, repository, addedBy } = piece;
    if (ids.has(id)) continue;
    ids.add(id);
    adders.push(addedBy);
    if (adders.filter((adder) => adder === addedBy).length > MAX_EVIDENCE) throw evidenceFull();
    const json = JSON.stringify(piece);
    added.push({ claimId, id, position: ++position, docTag, repository, addedBy, piece: json });
  }
  await insertPieces(sql, added);
  return added;
}

/** A principal has linked all the evidence to a claim that it can. */
function evidenceFull(): BudgetExceededError {
  return new BudgetExceededError(`You can link at most ${MAX_EVIDENCE} pieces of evidence to a claim.`, {
    reason: 'evidence_full',
    hint: 'Make another claim for further evidence.',
  });
}

const datedEvidence = (evidence: readonly NewEvidence[], addedAt: number): LinkedEvidence[] =>
  evidence.map((piece) => ({ ...piece, addedAt }));

/** Adds a claim as the newest one of its space, without evidence. @returns the rows */
async function insertClaim(
  sql: Sql,
  scope: Scope,
  { id, statement, data, createdBy, createdAt }: NewClaim & Pick<Claim, 'createdAt'>,
): Promise<object[]> {
  const row = { id, ...spaceValues(scope), statement, createdBy };
  await sql(
    `INSERT INTO claim (id, project, environment, position, state, statement, created_by, created_at)
     VALUES (:id, :projectId, :environment, :position, 'open', :statement, :createdBy, :createdAt)`,
    { ...row, position: await nextPosition(sql, 'claim', scope), createdAt },
  );
  const maker = { id, madeIn: JSON.stringify({ scope }) };
  await sql('INSERT INTO claim_maker (claim_id, made_in) VALUES (:id, :madeIn)', maker);
  if (!data) return [row, maker];
  const dataRow = { id, schema: data.schema.name, version: data.schema.version, json: data.json };
  await sql(
    'INSERT INTO claim_data (claim_id, schema, version, json) VALUES (:id, :schema, :version, :json)',
    dataRow,
  );
  return [row, maker, dataRow];
}

/**
 * Stores claims, evidence and decisions. A claim belongs to the project and environment of the scope; all others are
 * unknown. Unknown are also claims with evidence of a document that was outside the scope when it was linked, or is so now,
 * and claims of a maker with further groups. A claim without evidence is known where everything is visible that its maker
 * could see. Several processes may share one store; each method is atomic among them, and what it stored is on the disk
 * when it resolves.
 * All methods throw BackendUnavailableError if the store can't be used; `get` and `list`, also if the index can't.
 */
export class ClaimStore {
  constructor(
    private readonly work: BoundedWork,
    private readonly index: Pick<SectionIndex, 'sections'>,
  ) {}

  /** @throws BudgetExceededError `evidence_full`, `substrate_full` */
  create(scope: Scope, claim: NewClaim, evidence: readonly NewEvidence[]): Promise<Claim> {
    const { database, now } = this.work;
    return database.write(async (sql) => {
      const createdAt = now();
      const rows = await insertClaim(sql, scope, { ...claim, createdAt });
      const added = await insertEvidence(sql, claim.id, datedEvidence(evidence, createdAt));
      await this.charge(sql, scope, [...rows, ...added]);
      const created = await findClaims(
        sql,
        await sql('SELECT * FROM claim WHERE id = :id', { id: claim.id }),
      );
      const [only] = created.map(withoutMaker);
      if (!only) throw new Error(`the claim ${claim.id} was not stored`);
      return only;
    });
  }

  /**
   * Adds pieces of one principal; those that are stored already stay as they are.
   * @returns null for an unknown claim
   * @throws BudgetExceededError `evidence_full`, `substrate_full`
   */
  link(scope: Scope, id: string, evidence: readonly NewEvidence[]): Promise<Claim | null> {
    const { database, now } = this.work;
    return database.write(async (sql) => {
      if (!(await find(sql, scope, id))) return null;
      await this.charge(sql, scope, await insertEvidence(sql, id, datedEvidence(evidence, now())));
      return bare(await find(sql, scope, id));
    });
  }

  /** @returns null for an unknown claim */
  async get(scope: Scope, id: string): Promise<Claim | null> {
    const found = await this.work.database.read((sql) => find(sql, scope, id));
    const [claim] = found ? await visibleClaims(this.index, scope, [found]) : [];
    return bare(claim ?? null);
  }

  /** Latest first. */
  async list(scope: Scope, { state, ...query }: ClaimQuery): Promise<Claim[]> {
    const statement = `SELECT * FROM claim WHERE ${IN_SPACE} AND position < :before
      ${state === undefined ? '' : 'AND state = :state'} ORDER BY position DESC LIMIT :limit`;
    const values = { ...spaceValues(scope), ...(state !== undefined && { state }) };
    const found = await newestVisible(
      query,
      (page) =>
        this.work.database.read(async (sql) => findClaims(sql, await sql(statement, { ...values, ...page }))),
      (claims) => visibleClaims(this.index, scope, claims),
    );
    return found.map(withoutMaker);
  }

  /**
   * Adds a decision; earlier ones are kept.
   * @returns null for an unknown claim
   * @throws BudgetExceededError `decisions_full`
   */
  decide(scope: Scope, id: string, decision: Omit<ClaimDecision, 'at'>): Promise<Claim | null> {
    const { database, now } = this.work;
    return database.write(async (sql) => {
      const claim = await find(sql, scope, id);
      if (!claim) return null;
      const number = claim.decisions.length + 1;
      if (number > MAX_DECISIONS) throw decisionsFull();
      const json = JSON.stringify({ ...decision, at: now() });
      await sql('INSERT INTO claim_decision (claim_id, number, decision) VALUES (:id, :number, :json)', {
        ...{ id, number, json },
      });
      await sql('UPDATE claim SET state = :state WHERE id = :id', { state: decision.verdict, id });
      return bare(await find(sql, scope, id));
    });
  }

  private async charge(sql: Sql, space: Scope, rows: readonly object[]): Promise<void> {
    await chargeRows(sql, space, { rows, max: this.work.maxBytes });
  }
}
