import { byLexicalThenId, type Hit } from '../../../kb/search/score-hits.js';
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

/** About 1 MB. */
const MAX_DOCUMENTS = 10_000;

type FoundRow = readonly [
  rowId: number,
  sectionId: string,
  documentId: number,
  ordinal: number,
  title: string,
  textHash: number,
];

/** Known titles of documents, by row. To read them with each section takes a third of the time of its row. */
export type DocumentTitles = Map<number, string>;

/** A hit and its row. */
export interface RowHit extends Hit {
  readonly rowId: number;
  readonly documentId: number;
}

/** Reads the rows of one of the statements above. */
function readRows(database: Database, sql: string, ids: readonly number[]): readonly unknown[] {
  return JSON.parse(text(database.prepare(sql).get(JSON.stringify(ids))?.['rows'])) as readonly unknown[];
}

function readTitles(database: Database, titles: DocumentTitles, ids: Iterable<number>): void {
  const missing = [...new Set(ids)].filter((id) => !titles.has(id));
  if (missing.length === 0) return;
  // The statement makes such pairs.
  for (const [id, title] of readRows(database, DOCUMENTS, missing) as readonly (readonly [number, string])[])
    titles.set(id, title);
}

function toHit(row: FoundRow, score: number, titles: DocumentTitles): RowHit {
  const [rowId, sectionId, documentId, ordinal, title, textHash] = row;
  const lexical = Math.round(score * 10_000) / 10_000;
  return {
    rowId,
    sectionId,
    documentId,
    title,
    documentTitle: titles.get(documentId) ?? '',
    ordinal,
    copyKey: `${textHash} ${title}`,
    lexical,
  };
}

/** Reads scored rows. @returns in their order */
export function readHits(database: Database, ranked: readonly RankedRow[], titles: DocumentTitles): RowHit[] {
  // The statement makes such rows.
  const found = readRows(
    database,
    ROWS,
    ranked.map(({ row }) => row),
  ) as readonly FoundRow[];
  if (titles.size > MAX_DOCUMENTS) titles.clear();
  readTitles(
    database,
    titles,
    found.map(([, , documentId]) => documentId),
  );
  const rows = new Map(found.map((row) => [row[0], row]));
  return ranked.flatMap(({ row, score }) => {
    const read = rows.get(row);
    return read ? [toHit(read, score, titles)] : [];
  });
}

interface ReadBefore {
  /** Hits by row; others are added. */
  readonly hits: Map<number, RowHit>;
  readonly titles: DocumentTitles;
}

/** Reads the best rows, except those that were read before. @returns best BM25 first, ties by section id */
export function readBest(
  database: Database,
  ranked: readonly RankedRow[],
  fetch: number,
  { hits: known, titles }: ReadBefore,
): RowHit[] {
  const others = ranked.filter(({ row }) => !known.has(row));
  for (const hit of readHits(database, others, titles)) known.set(hit.rowId, hit);
  const hits = ranked.flatMap(({ row }) => known.get(row) ?? []);
  return hits.sort(byLexicalThenId).slice(0, fetch);
}
