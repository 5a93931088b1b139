import type { Database } from './driver.js';
import type { Candidate, SectionFilter, SectionQuery } from '../../kb/section-index.port.js';
import type { Scope } from '../../scope/scope.js';

/** Title and headings count twice, file name and body once (measured: flat around these, but never leave them out). */
const FIELD_WEIGHTS = '2.0, 2.0, 1.0, 1.0';
/** FTS5 scores every row that any term matches, so a long question asks for its rarest terms only. */
const MAX_TERMS = 24;

type Value = string | number;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

function anyOf(column: string, values: readonly string[] | null): Condition[] {
  return values ? [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }] : [];
}

/** The smallest text that is greater than every text with this prefix; null when there is none. */
function afterPrefix(prefix: string): string | null {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const code = last.codePointAt(0) ?? 0x10ffff;
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  return null;
}

function underPrefix(prefix: string | null): Condition[] {
  if (!prefix) return [];
  const end = afterPrefix(prefix);
  if (end === null) return [{ sql: 'd.path >= ?', values: [prefix] }];
  return [{ sql: 'd.path >= ? AND d.path < ?', values: [prefix, end] }];
}

/** What a row must satisfy to be seen at all. */
export function visibleRows(scope: Scope, filter: SectionFilter): Condition[] {
  return [
    ...anyOf('d.doc_tag', scope.docTags),
    ...anyOf('d.repository', scope.repositories),
    ...anyOf('d.doc_tag', filter.docTags),
    ...underPrefix(filter.pathPrefix),
    ...(filter.updatedAfter ? [{ sql: 'd.updated_at >= ?', values: [filter.updatedAfter] }] : []),
  ];
}

/**
 * Terms worth asking for: those that occur, rarest first, without those in more than half of the sections, whose
 * inverse document frequency is nil, unless there are no others.
 */
export function termsToAsk(
  terms: readonly string[],
  frequency: Readonly<Record<string, number>>,
  sectionCount: number,
): string[] {
  const of = (term: string): number => frequency[term] ?? 0;
  const found = terms.filter((term) => of(term) > 0).sort((a, b) => of(a) - of(b) || (a < b ? -1 : 1));
  const telling = found.filter((term) => of(term) <= sectionCount / 2);
  return (telling.length > 0 ? telling : found).slice(0, MAX_TERMS);
}

const COLUMNS = `s.section_id, s.ordinal, s.title, s.heading_path, s.anchor, s.text,
  d.path, d.title AS document_title, d.doc_tag, d.repository, d.updated_at, d.url`;

/** CROSS JOIN keeps full text as the outer loop: left to itself the planner may drive from a filter's index. */
function candidateSql(conditions: readonly Condition[]): string {
  const where = ['section_fts MATCH ?', ...conditions.map((condition) => condition.sql)].join(' AND ');
  if (conditions.length === 0) {
    return `SELECT ${COLUMNS}, hit.score FROM (
        SELECT rowid AS id, rank AS score FROM section_fts
        WHERE ${where} AND rank MATCH 'bm25(${FIELD_WEIGHTS})' ORDER BY rank LIMIT ?) hit
      CROSS JOIN section s ON s.id = hit.id CROSS JOIN document d ON d.id = s.document_id`;
  }
  return `SELECT ${COLUMNS}, bm25(section_fts, ${FIELD_WEIGHTS}) AS score FROM section_fts
    CROSS JOIN section s ON s.id = section_fts.rowid CROSS JOIN document d ON d.id = s.document_id
    WHERE ${where} ORDER BY score LIMIT ?`;
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

/** Ranks the visible sections that hold any of the terms. */
export function searchSections(
  database: Database,
  terms: readonly string[],
  query: SectionQuery,
): Candidate[] {
  if (terms.length === 0) return [];
  const conditions = visibleRows(query.scope, query.filter);
  // Terms hold letters and digits only, so quoting them is enough.
  const match = terms.map((term) => `"${term}"`).join(' OR ');
  const values = conditions.flatMap((condition) => [...condition.values]);
  const rows = database.prepare(candidateSql(conditions)).all(match, ...values, query.limit);
  return rows.map(toCandidate).sort(byScoreThenId);
}
