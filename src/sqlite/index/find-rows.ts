import { NO_FILTER, type SectionFilter } from '../../core/ports/section-index.port.js';
import type { SeenScope } from '../../core/scope.js';
import { KIND_KEY } from '../../core/section.js';
import { byLexicalThenId, type Hit } from '../../kb/search/score-hits.js';
import type { RankedRow } from '../best-rows.js';
import { type Database, text } from '../driver.js';
import type { RowMask } from './word-scores.js';

type Value = string | number;

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** The conditions over `document d` and `section s` that make a row visible, and their values in the same order. */
export interface Visibility {
  /** Empty if everything is visible. */
  readonly conditions: readonly string[];
  readonly values: readonly Value[];
}

/** A JSON list has the same statement for any number of values. */
function withLists(lists: readonly string[] | null): Condition[] {
  return lists
    ? [{ sql: 'd.allow IN (SELECT value FROM json_each(?))', values: [JSON.stringify(lists)] }]
    : [];
}

function hasAny(column: string, values: readonly string[] | null): Condition[] {
  return values ? [{ sql: `${column} IN (${values.map(() => '?').join(', ')})`, values }] : [];
}

/** The smallest text greater than all texts with this prefix; null if there is none. */
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

function withMetadata(metadata: Readonly<Record<string, string>>): Condition[] {
  const sql =
    'EXISTS (SELECT 1 FROM document_facet f WHERE f.document_id = d.id AND f.key = ? AND f.value = ?)';
  return Object.entries(metadata).map((pair) => ({ sql, values: pair }));
}

/** Makes a WHERE clause; empty for no conditions. */
export function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
}

/** The rows that are visible in a scope and pass a filter. */
export function visibleRows(scope: SeenScope, filter: SectionFilter = NO_FILTER): Visibility {
  const parts = [
    ...withLists(scope.seenLists),
    ...hasAny('d.doc_tag', scope.docTags),
    ...hasAny('d.repository', scope.repositories),
    ...hasAny('d.doc_tag', filter.docTags),
    ...underPrefix(filter.pathPrefix),
    ...hasAny('d.path', filter.paths ?? null),
    ...hasAny('s.section_id', filter.sectionIds ?? null),
    ...withMetadata(filter.metadata ?? {}),
    ...(filter.updatedAfter ? [{ sql: 'd.updated_at >= ?', values: [filter.updatedAfter] }] : []),
  ];
  return { conditions: parts.map(({ sql }) => sql), values: parts.flatMap(({ values }) => values) };
}

const VISIBLE_ROWS = 'SELECT s.id FROM document d CROSS JOIN section s ON s.document_id = d.id';

/** Marks the visible rows. @param rows  the ids are below this. @returns null if all rows are visible */
export function toMask(database: Database, { conditions, values }: Visibility, rows: number): RowMask | null {
  if (conditions.length === 0) return null;
  const mask = new Uint8Array(rows);
  for (const { id } of database.prepare(`${VISIBLE_ROWS} ${where(conditions)}`).all(...values))
    mask[Number(id)] = 1;
  return mask;
}

/** Extra rows to read: ties at the end of the list are then also ordered by section id. */
export const SPARE_ROWS = 40;

/** All rows as one value, which is faster than an object for each row. */
const ROWS = `SELECT json_group_array(
    json_array(s.id, s.section_id, s.document_id, s.ordinal, s.title, s.text_hash)) AS rows
  FROM json_each(?) j CROSS JOIN section s ON s.id = j.value`;
const DOCUMENTS = `SELECT json_group_array(json_array(d.id, d.title, f.value)) AS rows
  FROM json_each(?) j CROSS JOIN document d ON d.id = j.value
  LEFT JOIN document_facet f ON f.document_id = d.id AND f.key = '${KIND_KEY}'`;

/** Maximum number of cached titles, about 1 MB. */
const MAX_TITLES = 10_000;

type FoundRow = readonly [
  rowId: number,
  sectionId: string,
  documentId: number,
  ordinal: number,
  title: string,
  textHash: number,
];

/** Title and kind of documents, by row. Reading them with every section would take a third of its time. */
export type DocumentTitles = Map<number, { readonly title: string; readonly kind: string | undefined }>;

/** A hit and its row. */
export interface RowHit extends Hit {
  readonly rowId: number;
  readonly documentId: number;
}

/** Reads the rows of one of the statements above, which makes such rows. */
function readRows<R>(database: Database, sql: string, ids: readonly number[]): readonly R[] {
  return JSON.parse(text(database.prepare(sql).get(JSON.stringify(ids))?.['rows'])) as readonly R[];
}

function readTitles(database: Database, titles: DocumentTitles, ids: Iterable<number>): void {
  const missing = [...new Set(ids)].filter((id) => !titles.has(id));
  if (missing.length === 0) return;
  for (const [id, title, kind] of readRows<readonly [number, string, string | null]>(
    database,
    DOCUMENTS,
    missing,
  ))
    titles.set(id, { title, kind: kind ?? undefined });
}

function toHit(
  row: FoundRow,
  score: number,
  { title: documentTitle, kind }: { readonly title: string; readonly kind: string | undefined },
): RowHit {
  const [rowId, sectionId, documentId, ordinal, title, textHash] = row;
  const lexical = Math.round(score * 10_000) / 10_000;
  const copyKey = `${textHash} ${title}`;
  return { rowId, sectionId, documentId, title, documentTitle, ordinal, copyKey, lexical, kind };
}

/** Reads scored rows. @returns in their order */
export function readHits(database: Database, ranked: readonly RankedRow[], titles: DocumentTitles): RowHit[] {
  const ids = ranked.map(({ row }) => row);
  const found = readRows<FoundRow>(database, ROWS, ids);
  const documents = found.map(([, , documentId]) => documentId);
  if (titles.size > MAX_TITLES) titles.clear();
  readTitles(database, titles, documents);
  const rows = new Map(found.map((row) => [row[0], row]));
  return ranked.flatMap(({ row, score }) => {
    const read = rows.get(row);
    const document = read && titles.get(read[2]);
    return read && document ? [toHit(read, score, document)] : [];
  });
}

interface BestOptions {
  /** Maximum number of hits. */
  readonly fetch: number;
  /** Hits that were read before, by row; others are added. */
  readonly known: Map<number, RowHit>;
  readonly titles: DocumentTitles;
}

/** Reads the best rows. @returns best BM25 first, ties by section id */
export function readBest(
  database: Database,
  ranked: readonly RankedRow[],
  { fetch, known, titles }: BestOptions,
): RowHit[] {
  const others = ranked.filter(({ row }) => !known.has(row));
  for (const hit of readHits(database, others, titles)) known.set(hit.rowId, hit);
  const hits = ranked.flatMap(({ row }) => known.get(row) ?? []);
  return hits.sort(byLexicalThenId).slice(0, fetch);
}
