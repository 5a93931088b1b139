import type { Candidate, ExplainedHit, SearchTimings } from '../../../core/ports/section-index.port.js';
import type { Database } from '../driver.js';
import { explainHits } from '../../../kb/search/explain-hits.js';
import { FIELD_WEIGHTS } from '../../../kb/search/bm25.js';
import {
  byLexicalThenId,
  fetchFor,
  isEnough,
  MAX_FETCH,
  rankFound,
  stopwatch,
} from '../../../kb/search/rank-found.js';
import type { RankedFound, Ranking } from '../../../kb/search/rank-found.js';
import { scoreScale } from '../../../kb/search/weigh-terms.js';
import type { WeighedTerm } from '../../../kb/search/weigh-terms.js';
import { anyOf, canReach, expectedScore } from './match-expression.js';
import { mergeRecalled } from '../../../kb/search/merge-recalled.js';
import { compareHits } from '../../../kb/search/score-hits.js';
import type { Hit } from '../../../kb/search/score-hits.js';
import { SECTION_BY_ROW, text, toStored } from './stored-sections.js';
import type { Row } from './stored-sections.js';
import { visibleRows } from './visible-rows.js';
import type { Condition } from './visible-rows.js';

const { title, headings, file, body } = FIELD_WEIGHTS;
const FIELDS = [title, headings, file, body].map((weight) => weight.toFixed(1)).join(', ');
/** Rows read beyond those that are ranked, so that section ids also order equal scores at the end of the list. */
const SPARE_ROWS = 40;
/** So many of the best rows, or as many as are wanted, are exact; of those behind some may be missing. */
const EXACT_ROWS = 20;

/** What to look for, with everything that ranks it. */
export interface Search extends Ranking {
  /** Rarest first. */
  readonly terms: readonly WeighedTerm[];
  readonly phrases: readonly (readonly string[])[];
  /** Finds rows by their vectors, nearest first; null where only words find any. */
  readonly recall: (() => readonly number[]) | null;
}

/** What a search found. */
export interface Found {
  readonly candidates: readonly Candidate[];
  readonly matched: number;
  readonly sameDocument: number;
  readonly nearDuplicate: number;
  readonly timings: SearchTimings;
  readonly hits?: readonly ExplainedHit[];
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
      SELECT section_fts.rowid AS id, bm25(section_fts, ${FIELDS}) AS score FROM section_fts ${joins}
      WHERE ${where.join(' AND ')} ORDER BY score LIMIT ?) hit
    CROSS JOIN section s ON s.id = hit.id LEFT JOIN section_vector v ON v.id = hit.id`;
}

// `+`: one pass over the rows that match, of which only these are scored.
const RECALLED_SCORES = `SELECT rowid AS id, bm25(section_fts, ${FIELDS}) AS score FROM section_fts
  WHERE section_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`;
const RECALLED_ROWS = `SELECT s.id, s.section_id, s.document_id, s.title, v.vector FROM json_each(?) j
  CROSS JOIN section s ON s.id = j.value CROSS JOIN section_vector v ON v.id = s.id`;

/** A hit, and where its row lies. */
interface RowHit extends Hit {
  readonly rowId: number;
}

function toHit(row: Row, scale: number): RowHit {
  return {
    rowId: Number(row['id']),
    sectionId: text(row['section_id']),
    documentId: Number(row['document_id']),
    title: text(row['title']),
    // FTS5 returns the negated score; of nothing, that is not -0.
    lexical: Math.round(Number(row['score']) * -scale * 10_000) / 10_000 || 0,
    packed: row['vector'] instanceof Uint8Array ? row['vector'] : null,
  };
}

interface Look {
  readonly sieve: string | null;
  readonly fetch: number;
}

/** Ranks rows with any of the terms, or only those that can reach a score. */
function look(database: Database, { terms, phrases, query }: Search, { sieve, fetch }: Look): RowHit[] {
  if (terms.length === 0) return [];
  const conditions = visibleRows(query.scope, query.filter);
  const values = [
    ...(sieve === null ? [] : [sieve]),
    ...conditions.flatMap((condition) => [...condition.values]),
  ];
  const rows = database
    .prepare(hitSql(sieve !== null, conditions))
    .all(anyOf(terms, phrases), ...values, fetch + SPARE_ROWS);
  const scale = scoreScale(terms);
  return rows
    .map((row) => toHit(row, scale))
    .sort(byLexicalThenId)
    .slice(0, fetch);
}

/**
 * Rows that can't be among the best are not scored: a first look goes by the score that good rows often reach, and
 * where that was too hopeful a second one by the score that was found, which makes the best rows exact. What a phrase
 * adds to a row is not known before, so there nothing is sieved.
 */
function rankHits(database: Database, search: Search): RowHit[] {
  const { terms, phrases, query } = search;
  const fetch = fetchFor(query.limit);
  const hoped = expectedScore(terms);
  const sieve = phrases.length > 0 ? null : canReach(terms, hoped);
  const first = look(database, search, { sieve, fetch });
  const reached = first[Math.max(EXACT_ROWS, query.limit) - 1]?.lexical ?? 0;
  if (sieve === null || reached >= hoped) return first;
  return look(database, search, { sieve: canReach(terms, reached), fetch });
}

/** What vectors found, each with what its words are worth. */
function readRecalled(database: Database, { terms, phrases, recall }: Search): readonly RowHit[] | null {
  if (!recall) return null;
  const recalled = recall();
  const rows = JSON.stringify(recalled);
  const scores = new Map<number, number>();
  if (terms.length > 0) {
    const scored = database.prepare(RECALLED_SCORES).all(anyOf(terms, phrases), rows);
    for (const { id, score } of scored) scores.set(Number(id), Number(score));
  }
  const scale = scoreScale(terms);
  const read = database.prepare(RECALLED_ROWS).all(rows);
  const hits = new Map(
    read.map((row) => {
      const id = Number(row['id']);
      return [id, toHit({ ...row, score: scores.get(id) ?? 0 }, scale)] as const;
    }),
  );
  return recalled.flatMap((row) => hits.get(row) ?? []);
}

function tagReader(database: Database): (documentId: Hit['documentId']) => string {
  const read = database.prepare('SELECT doc_tag FROM document WHERE id = ?');
  const known = new Map<Hit['documentId'], string>();
  return (documentId) => {
    const tag = known.get(documentId) ?? text(read.get(documentId)?.['doc_tag']);
    known.set(documentId, tag);
    return tag;
  };
}

/** Ranks the visible sections that hold any of the terms. */
export function searchSections(database: Database, search: Search): Found {
  const { terms, query } = search;
  const { limit, explain = false } = query;
  const timings = { lexical: 0, vector: 0, fusion: 0 };
  const taking = stopwatch(timings);
  const nothing = { candidates: [], matched: 0, sameDocument: 0, nearDuplicate: 0, timings };
  if (terms.length === 0 && !search.recall) return explain ? { ...nothing, hits: [] } : nothing;
  const all = (): RowHit[] => look(database, search, { sieve: null, fetch: MAX_FETCH });
  const read = database.prepare(SECTION_BY_ROW);
  const recalled = readRecalled(database, search);
  taking('vector');
  const collect = (byWords: readonly RowHit[], isLast: boolean): RankedFound => {
    taking('lexical');
    const merged = recalled ? mergeRecalled(byWords, recalled) : { hits: byWords };
    const full = { ...search.scoring, ...merged };
    const cosines = compareHits(merged.hits, full);
    taking('vector');
    const ranking = { ...search, scoring: full, isLast };
    const ranked = rankFound(merged.hits, cosines, ranking, ({ rowId }) => toStored(read.get(rowId) ?? {}));
    taking('fusion');
    return ranked;
  };
  const first = collect(rankHits(database, search), false);
  // A few documents, or copies of one text, filled the head of the ranking: look for others further down.
  const ranked = isEnough(first, limit) ? first : collect(all(), true);
  const { candidates, scored, repeated, perDocument, sameDocument } = ranked;
  const found = { candidates, matched: scored.length, sameDocument, nearDuplicate: repeated.size, timings };
  if (!explain) return found;
  return {
    ...found,
    hits: explainHits(ranked, all(), { perDocument, most: MAX_FETCH, tagOf: tagReader(database) }),
  };
}
