import type { Candidate, CollapseRules, SectionQuery } from '../../kb/section-index.port.js';
import type { Database } from './driver.js';
import { anyOf, canReach, expectedScore, scoreScale } from './match-expression.js';
import type { WeighedTerm } from './match-expression.js';
import { Repetitions } from '../../kb/same-elsewhere.js';
import { scoreHits } from './score-hits.js';
import type { Hit, ScoredHit, Scoring, TitleMemo } from './score-hits.js';
import { SECTION_BY_ROW, text, toStored } from './stored-sections.js';
import type { Row } from './stored-sections.js';
import { visibleRows } from './visible-rows.js';
import type { Condition } from './visible-rows.js';

/** Title and headings count twice, file name and body once (measured: flat around these, but never leave them out). */
const FIELD_WEIGHTS = '2.0, 2.0, 1.0, 1.0';
/** So many of the best rows, or as many as are wanted, are exact; of those behind some may be missing. */
const EXACT_ROWS = 20;

/** Fetched for each section wanted, so that a document with many matches leaves room for others. */
const OVERFETCH = 4;
/** As many as vectors are compared of, so that the order does not depend on how many are asked for. */
const MIN_FETCH = 80;
const MAX_FETCH = 1_000;

/** What to look for, with everything that ranks it. */
export interface Search {
  readonly query: SectionQuery;
  /** Rarest first. */
  readonly terms: readonly WeighedTerm[];
  readonly phrases: readonly (readonly string[])[];
  readonly scoring: Scoring;
  /** Terms of titles that are known already. */
  readonly titles: TitleMemo;
  /** What the manifest says of the keys that documents differ in. */
  readonly collapse: CollapseRules;
}

/** What a search found. */
export interface Found {
  readonly candidates: readonly Candidate[];
  readonly matched: number;
  readonly sameDocument: number;
  readonly nearDuplicate: number;
}

/**
 * Scoring a row costs ten times as much as matching it, so rows are sieved first. `+` keeps the sieve from becoming a
 * look-up per row, CROSS JOIN keeps full text as the outer loop: left to itself the planner may drive from a filter.
 */
function hitSql(isSieved: boolean, conditions: readonly Condition[]): string {
  const sieve = '+section_fts.rowid IN (SELECT rowid FROM section_fts WHERE section_fts MATCH ?)';
  const where = ['section_fts MATCH ?', ...(isSieved ? [sieve] : []), ...conditions.map(({ sql }) => sql)];
  const joins =
    conditions.length > 0
      ? 'CROSS JOIN section s ON s.id = section_fts.rowid CROSS JOIN document d ON d.id = s.document_id'
      : '';
  return `SELECT hit.id, hit.score, s.section_id, s.document_id, s.title, v.vector FROM (
      SELECT section_fts.rowid AS id, bm25(section_fts, ${FIELD_WEIGHTS}) AS score FROM section_fts ${joins}
      WHERE ${where.join(' AND ')} ORDER BY score LIMIT ?) hit
    CROSS JOIN section s ON s.id = hit.id LEFT JOIN section_vector v ON v.id = hit.id`;
}

function toHit(row: Row, scale: number): Hit {
  return {
    rowId: Number(row['id']),
    sectionId: text(row['section_id']),
    documentId: Number(row['document_id']),
    title: text(row['title']),
    // FTS5 returns the negated score.
    lexical: Math.round(Number(row['score']) * -scale * 10_000) / 10_000,
    packed: row['vector'] instanceof Uint8Array ? row['vector'] : null,
  };
}

function toCandidate(row: Row, { score, lexical, vector }: ScoredHit): Candidate {
  return { ...toStored(row), score, lexical, vector };
}

/** Best first; equal scores by section id. */
function byLexicalThenId(a: Hit, b: Hit): number {
  return b.lexical - a.lexical || (a.sectionId < b.sectionId ? -1 : 1);
}

interface Look {
  readonly sieve: string | null;
  readonly fetch: number;
}

/** Ranks rows with any of the terms, or only those that can reach a score. */
function look(database: Database, { terms, phrases, query }: Search, { sieve, fetch }: Look): Hit[] {
  const conditions = visibleRows(query.scope, query.filter);
  const values = [
    ...(sieve === null ? [] : [sieve]),
    ...conditions.flatMap((condition) => [...condition.values]),
  ];
  const rows = database
    .prepare(hitSql(sieve !== null, conditions))
    .all(anyOf(terms, phrases), ...values, fetch);
  const scale = scoreScale(terms);
  return rows.map((row) => toHit(row, scale)).sort(byLexicalThenId);
}

/**
 * Rows that can't be among the best are not scored: a first look goes by the score that good rows often reach, and
 * where that was too hopeful a second one by the score that was found, which makes the best rows exact. What a phrase
 * adds to a row is not known before, so there nothing is sieved.
 */
function rankHits(database: Database, search: Search): Hit[] {
  const { terms, phrases, query } = search;
  const fetch = Math.min(MAX_FETCH, Math.max(MIN_FETCH, query.limit * OVERFETCH));
  const hoped = expectedScore(terms);
  const sieve = phrases.length > 0 ? null : canReach(terms, hoped);
  const first = look(database, search, { sieve, fetch });
  const reached = first[Math.max(EXACT_ROWS, query.limit) - 1]?.lexical ?? 0;
  if (sieve === null || reached >= hoped) return first;
  return look(database, search, { sieve: canReach(terms, reached), fetch });
}

function limitPerDocument(hits: readonly ScoredHit[], most: number): ScoredHit[] {
  const taken = new Map<number, number>();
  return hits.filter(({ documentId }) => {
    const count = (taken.get(documentId) ?? 0) + 1;
    taken.set(documentId, count);
    return count <= most;
  });
}

/** Reads the best rows; of variants of one text, and of versions of one section, only the best. */
function readCandidates(
  database: Database,
  hits: readonly ScoredHit[],
  { query: { limit }, collapse }: Search,
): { candidates: Candidate[]; nearDuplicate: number } {
  const read = database.prepare(SECTION_BY_ROW);
  const candidates: Candidate[] = [];
  const repetitions = new Repetitions(collapse, true);
  let nearDuplicate = 0;
  for (const hit of hits) {
    if (candidates.length >= limit) break;
    const candidate = toCandidate(read.get(hit.rowId) ?? {}, hit);
    if (repetitions.shownFor(candidate)) nearDuplicate++;
    else candidates.push(candidate);
  }
  return { candidates, nearDuplicate };
}

/** Ranks the visible sections that hold any of the terms. */
export function searchSections(database: Database, search: Search): Found {
  const { terms, query, scoring } = search;
  if (terms.length === 0) return { candidates: [], matched: 0, sameDocument: 0, nearDuplicate: 0 };
  const collect = (hits: readonly Hit[]): Found => {
    const spread = limitPerDocument(scoreHits(hits, scoring, search.titles), query.perDocument);
    const found = readCandidates(database, spread, search);
    return { ...found, matched: hits.length, sameDocument: hits.length - spread.length };
  };
  const hits = rankHits(database, search);
  const found = collect(hits);
  if (found.candidates.length >= query.limit || found.candidates.length === hits.length) return found;
  // A few documents, or copies of one text, filled the head of the ranking: look for others further down.
  return collect(look(database, search, { sieve: null, fetch: MAX_FETCH }));
}
