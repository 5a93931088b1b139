import { FIELD_WEIGHTS } from '../../../kb/search/bm25.js';
import { byLexicalThenId, type Hit } from '../../../kb/search/score-hits.js';
import type { Look, Sought } from '../../../kb/search/search-engine.js';
import { scoreScale } from '../../../kb/search/weigh-terms.js';
import type { Database } from '../driver.js';
import { bytesOrNull, type Row, text } from '../row-values.js';
import { anyOf, canReach, expectedScore } from './match-expression.js';
import type { Visibility } from './visible-rows.js';

const { title, headings, file, body } = FIELD_WEIGHTS;
const FIELDS = [title, headings, file, body].map((weight) => weight.toFixed(1)).join(', ');
/** Extra rows to read: ties at the end of the list are then also ordered by section id. */
const SPARE_ROWS = 40;
const HIT_FIELDS = 's.section_id, s.document_id, s.ordinal, s.title, d.title AS document_title, v.vector';
/** Minimum number of best rows that are exact; after them, some rows may be missing. */
const EXACT_ROWS = 20;

/**
 * Scoring a row costs ten times as much as matching it, so rows are filtered by a second match first. `+` prevents a
 * look-up of the second match for each row. CROSS JOIN makes full text the outer loop; otherwise the planner may start
 * with a filter.
 */
function hitSql(isSieved: boolean, { conditions }: Visibility): string {
  const sieve = '+section_fts.rowid IN (SELECT rowid FROM section_fts WHERE section_fts MATCH ?)';
  const where = ['section_fts MATCH ?', ...(isSieved ? [sieve] : []), ...conditions];
  const joins =
    conditions.length > 0
      ? 'CROSS JOIN section s ON s.id = section_fts.rowid CROSS JOIN document d ON d.id = s.document_id'
      : '';
  return `SELECT hit.id, hit.score, ${HIT_FIELDS} FROM (
      SELECT section_fts.rowid AS id, bm25(section_fts, ${FIELDS}) AS score FROM section_fts ${joins}
      WHERE ${where.join(' AND ')} ORDER BY score LIMIT ?) hit
    CROSS JOIN section s ON s.id = hit.id CROSS JOIN document d ON d.id = s.document_id LEFT JOIN section_vector v ON v.id = hit.id`;
}

// `+` makes one pass over the matching rows and scores only the given ones.
const RECALLED_SCORES = `SELECT rowid AS id, bm25(section_fts, ${FIELDS}) AS score FROM section_fts
  WHERE section_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`;
const RECALLED_ROWS = `SELECT s.id, ${HIT_FIELDS} FROM json_each(?) j
  CROSS JOIN section s ON s.id = j.value CROSS JOIN document d ON d.id = s.document_id CROSS JOIN section_vector v ON v.id = s.id`;

/** A hit and its row. */
export interface RowHit extends Hit {
  readonly rowId: number;
  readonly documentId: number;
  /** The section's stored vector; null if it has none. */
  readonly packed: Uint8Array | null;
}

function toHit(row: Row, scale: number): RowHit {
  return {
    rowId: Number(row['id']),
    sectionId: text(row['section_id']),
    documentId: Number(row['document_id']),
    title: text(row['title']),
    documentTitle: text(row['document_title']),
    ordinal: Number(row['ordinal']),
    // FTS5 returns the negated score. `|| 0` turns -0 into 0.
    lexical: Math.round(Number(row['score']) * -scale * 10_000) / 10_000 || 0,
    packed: bytesOrNull(row['vector']),
  };
}

/** Ranks rows with any of the terms. @param sieve  an expression that rows must also match; null for none */
function look(
  database: Database,
  visible: Visibility,
  asked: Pick<Sought, 'terms' | 'phrases'> & { readonly sieve: string | null; readonly fetch: number },
): RowHit[] {
  const { terms, phrases, sieve, fetch } = asked;
  if (terms.length === 0) return [];
  const values = [...(sieve === null ? [] : [sieve]), ...visible.values];
  const rows = database
    .prepare(hitSql(sieve !== null, visible))
    .all(anyOf(terms, phrases), ...values, fetch + SPARE_ROWS);
  const scale = scoreScale(terms);
  return rows
    .map((row) => toHit(row, scale))
    .sort(byLexicalThenId)
    .slice(0, fetch);
}

/**
 * Finds rows by words. If only the best rows must be exact, rows that can't be among them are not scored. The first
 * query requires the score that good rows often reach. If too few rows reach it, a second query requires only the score
 * of the last row that must be exact. With phrases, every row is scored, because their score is not known in advance.
 * @param least  number of best rows that must be exact, if more than 20
 * @returns best BM25 first, ties by section id
 */
export function findByWords(
  database: Database,
  visible: Visibility,
  { terms, phrases, fetch, isExact, least }: Pick<Sought, 'terms' | 'phrases'> & Look & { least: number },
): RowHit[] {
  const hoped = expectedScore(terms);
  const sieve = isExact || phrases.length > 0 ? null : canReach(terms, hoped);
  const first = look(database, visible, { terms, phrases, sieve, fetch });
  const reached = first[Math.max(EXACT_ROWS, least) - 1]?.lexical ?? 0;
  if (sieve === null || reached >= hoped) return first;
  return look(database, visible, { terms, phrases, sieve: canReach(terms, reached), fetch });
}

/** Reads rows that vectors found, each with its BM25 score. @param recalled  ids of rows, nearest first */
export function readRecalled(
  database: Database,
  recalled: readonly number[],
  { terms, phrases }: Sought,
): RowHit[] {
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
