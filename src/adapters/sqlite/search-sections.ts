import type { Candidate, SectionQuery } from '../../kb/section-index.port.js';
import type { Database } from './driver.js';
import { anyOf, canReach, expectedScore, scoreScale } from './match-expression.js';
import type { WeighedTerm } from './match-expression.js';
import { visibleRows } from './visible-rows.js';
import type { Condition } from './visible-rows.js';

/** Title and headings count twice, file name and body once (measured: flat around these, but never leave them out). */
const FIELD_WEIGHTS = '2.0, 2.0, 1.0, 1.0';
/** So many of the best rows, or twice as many as are wanted, are exact; of those behind some may be missing. */
const EXACT_ROWS = 20;

/** Fetched for each section wanted, so that a document with many matches leaves room for others. */
const OVERFETCH = 10;
const MIN_FETCH = 60;
const MAX_FETCH = 1_000;

/** A row that matched, without its text. */
interface Hit {
  readonly rowId: number;
  readonly sectionId: string;
  readonly documentId: number;
  readonly score: number;
}

/** What a search found. */
export interface Found {
  readonly candidates: readonly Candidate[];
  readonly matched: number;
  readonly sameDocument: number;
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
  return `SELECT hit.id, hit.score, s.section_id, s.document_id FROM (
      SELECT section_fts.rowid AS id, bm25(section_fts, ${FIELD_WEIGHTS}) AS score FROM section_fts ${joins}
      WHERE ${where.join(' AND ')} ORDER BY score LIMIT ?) hit
    CROSS JOIN section s ON s.id = hit.id`;
}

const CANDIDATE_SQL = `SELECT s.section_id, s.ordinal, s.title, s.heading_path, s.anchor, s.text,
    d.path, d.title AS document_title, d.doc_tag, d.repository, d.updated_at, d.url
  FROM section s CROSS JOIN document d ON d.id = s.document_id WHERE s.id = ?`;

type Row = Readonly<Record<string, unknown>>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toHit(row: Row, scale: number): Hit {
  return {
    rowId: Number(row['id']),
    sectionId: text(row['section_id']),
    documentId: Number(row['document_id']),
    // FTS5 returns the negated score.
    score: Math.round(Number(row['score']) * -scale * 10_000) / 10_000,
  };
}

function toCandidate(row: Row, lexical: number): Candidate {
  const headingPath: unknown = JSON.parse(text(row['heading_path']));
  return {
    section: {
      id: text(row['section_id']),
      ordinal: Number(row['ordinal']),
      title: text(row['title']),
      headingPath: Array.isArray(headingPath) ? headingPath.map(String) : [],
      anchor: textOrNull(row['anchor']),
      text: text(row['text']),
    },
    document: {
      path: text(row['path']),
      title: text(row['document_title']),
      docTag: text(row['doc_tag']),
      repository: text(row['repository']),
      updatedAt: text(row['updated_at']),
      url: textOrNull(row['url']),
    },
    lexical,
  };
}

/** Best first; equal scores by section id. */
function byScoreThenId(a: Hit, b: Hit): number {
  return b.score - a.score || (a.sectionId < b.sectionId ? -1 : 1);
}

interface Look {
  readonly sieve: string | null;
  readonly fetch: number;
}

/** Ranks rows with any of the terms, or only those that can reach a score. */
function look(
  database: Database,
  terms: readonly WeighedTerm[],
  query: SectionQuery,
  { sieve, fetch }: Look,
): Hit[] {
  const conditions = visibleRows(query.scope, query.filter);
  const values = [
    ...(sieve === null ? [] : [sieve]),
    ...conditions.flatMap((condition) => [...condition.values]),
  ];
  const rows = database.prepare(hitSql(sieve !== null, conditions)).all(anyOf(terms), ...values, fetch);
  const scale = scoreScale(terms);
  return rows.map((row) => toHit(row, scale)).sort(byScoreThenId);
}

/**
 * Rows that can't be among the best are not scored: a first look goes by the score that good rows often reach, and
 * where that was too hopeful a second one by the score that was found, which makes the best rows exact.
 */
function rankHits(database: Database, terms: readonly WeighedTerm[], query: SectionQuery): Hit[] {
  const fetch = Math.min(MAX_FETCH, Math.max(MIN_FETCH, query.limit * OVERFETCH));
  const hoped = expectedScore(terms);
  const sieve = canReach(terms, hoped);
  const first = look(database, terms, query, { sieve, fetch });
  const reached = first[Math.max(EXACT_ROWS, query.limit * 2) - 1]?.score ?? 0;
  if (sieve === null || reached >= hoped) return first;
  return look(database, terms, query, { sieve: canReach(terms, reached), fetch });
}

function limitPerDocument(hits: readonly Hit[], most: number): Hit[] {
  const taken = new Map<number, number>();
  return hits.filter(({ documentId }) => {
    const count = (taken.get(documentId) ?? 0) + 1;
    taken.set(documentId, count);
    return count <= most;
  });
}

/**
 * Ranks the visible sections that hold any of the terms.
 * @param terms  rarest first
 */
export function searchSections(
  database: Database,
  terms: readonly WeighedTerm[],
  query: SectionQuery,
): Found {
  if (terms.length === 0) return { candidates: [], matched: 0, sameDocument: 0 };
  let hits = rankHits(database, terms, query);
  let spread = limitPerDocument(hits, query.perDocument);
  if (spread.length < query.limit && hits.length > spread.length) {
    // A few documents filled the head of the ranking: look for others further down.
    hits = look(database, terms, query, { sieve: null, fetch: MAX_FETCH });
    spread = limitPerDocument(hits, query.perDocument);
  }
  const read = database.prepare(CANDIDATE_SQL);
  const candidates = spread
    .slice(0, query.limit)
    .map(({ rowId, score }) => toCandidate(read.get(rowId) ?? {}, score));
  return { candidates, matched: hits.length, sameDocument: hits.length - spread.length };
}
