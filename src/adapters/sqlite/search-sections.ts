import type { Candidate, SectionQuery } from '../../kb/section-index.port.js';
import type { Database } from './driver.js';
import { anyOf, canReach, expectedScore } from './match-expression.js';
import type { WeighedTerm } from './match-expression.js';
import { visibleRows } from './visible-rows.js';
import type { Condition } from './visible-rows.js';

/** Title and headings count twice, file name and body once (measured: flat around these, but never leave them out). */
const FIELD_WEIGHTS = '2.0, 2.0, 1.0, 1.0';
/** So many of the best rows are exact; those behind may lack rows that could not be among them. */
const EXACT_ROWS = 20;

const COLUMNS = `s.section_id, s.ordinal, s.title, s.heading_path, s.anchor, s.text,
  d.path, d.title AS document_title, d.doc_tag, d.repository, d.updated_at, d.url`;

/**
 * Scoring a row costs ten times as much as matching it, so rows are sieved first. `+` keeps the sieve from becoming a
 * look-up per row, CROSS JOIN keeps full text as the outer loop: left to itself the planner may drive from a filter.
 */
function candidateSql(isSieved: boolean, conditions: readonly Condition[]): string {
  const sieve = '+section_fts.rowid IN (SELECT rowid FROM section_fts WHERE section_fts MATCH ?)';
  const where = ['section_fts MATCH ?', ...(isSieved ? [sieve] : []), ...conditions.map(({ sql }) => sql)];
  const joins =
    conditions.length > 0
      ? 'CROSS JOIN section s ON s.id = section_fts.rowid CROSS JOIN document d ON d.id = s.document_id'
      : '';
  return `SELECT ${COLUMNS}, hit.score FROM (
      SELECT section_fts.rowid AS id, bm25(section_fts, ${FIELD_WEIGHTS}) AS score FROM section_fts ${joins}
      WHERE ${where.join(' AND ')} ORDER BY score LIMIT ?) hit
    CROSS JOIN section s ON s.id = hit.id CROSS JOIN document d ON d.id = s.document_id`;
}

type Row = Readonly<Record<string, unknown>>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function toCandidate(row: Row): Candidate {
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
    // FTS5 returns the negated score.
    lexical: Math.round(Number(row['score']) * -10_000) / 10_000,
  };
}

/** Best first; equal scores by section id. */
function byScoreThenId(a: Candidate, b: Candidate): number {
  return b.lexical - a.lexical || (a.section.id < b.section.id ? -1 : 1);
}

/** Ranks rows with any of the terms, or only those that can reach a score. */
function look(
  database: Database,
  terms: readonly WeighedTerm[],
  sieve: string | null,
  query: SectionQuery,
): Candidate[] {
  const conditions = visibleRows(query.scope, query.filter);
  const values = [
    ...(sieve === null ? [] : [sieve]),
    ...conditions.flatMap((condition) => [...condition.values]),
  ];
  const rows = database
    .prepare(candidateSql(sieve !== null, conditions))
    .all(anyOf(terms), ...values, query.limit);
  return rows.map(toCandidate).sort(byScoreThenId);
}

/**
 * Ranks the visible sections that hold any of the terms. Rows that can't be among the best are not scored: a first
 * look goes by the score that good rows often reach, and where that was too hopeful a second one by the score that
 * was found, which makes the best rows exact.
 * @param terms  rarest first
 */
export function searchSections(
  database: Database,
  terms: readonly WeighedTerm[],
  query: SectionQuery,
): Candidate[] {
  if (terms.length === 0) return [];
  const hoped = expectedScore(terms);
  const sieve = canReach(terms, hoped);
  const first = look(database, terms, sieve, query);
  const reached = first[Math.min(EXACT_ROWS, query.limit) - 1]?.lexical ?? 0;
  if (sieve === null || reached >= hoped) return first;
  return look(database, terms, canReach(terms, reached), query);
}
