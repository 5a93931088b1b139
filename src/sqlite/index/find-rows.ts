import { byLexicalThenId, type Hit } from '../../kb/search/score-hits.js';
import type { RankedRow } from '../best-rows.js';
import type { Database } from '../driver.js';
import { text } from '../row-values.js';

/** Extra rows to read: ties at the end of the list are then also ordered by section id. */
export const SPARE_ROWS = 40;

/** All rows as one value, which is faster than an object for each row. */
const ROWS = `SELECT json_group_array(
    json_array(s.id, s.section_id, s.document_id, s.ordinal, s.title, s.text_hash)) AS rows
  FROM json_each(?) j CROSS JOIN section s ON s.id = j.value`;
const DOCUMENTS = `SELECT json_group_array(json_array(d.id, d.title)) AS rows
  FROM json_each(?) j CROSS JOIN document d ON d.id = j.value`;

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

/** Known titles of documents, by row. Reading them with every section would take a third of its time. */
export type DocumentTitles = Map<number, string>;

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
  for (const [id, title] of readRows<readonly [number, string]>(database, DOCUMENTS, missing))
    titles.set(id, title);
}

function toHit(row: FoundRow, score: number, documentTitle: string): RowHit {
  const [rowId, sectionId, documentId, ordinal, title, textHash] = row;
  const lexical = Math.round(score * 10_000) / 10_000;
  const copyKey = `${textHash} ${title}`;
  return { rowId, sectionId, documentId, title, documentTitle, ordinal, copyKey, lexical };
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
    const title = read && titles.get(read[2]);
    return read && title !== undefined ? [toHit(read, score, title)] : [];
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
