import { byLexicalThenId, type Hit } from '../../../kb/search/score-hits.js';
import type { RankedRow } from '../best-rows.js';
import type { Database } from '../driver.js';
import { text } from '../row-values.js';

/** Extra rows to read: ties at the end of the list are then also ordered by section id. */
export const SPARE_ROWS = 40;

/** All rows as one value, which is faster than an object for each row. */
const ROWS = `SELECT json_group_array(
    json_array(s.id, s.section_id, s.document_id, s.ordinal, s.title, s.text_hash, d.title)) AS rows
  FROM json_each(?) j CROSS JOIN section s ON s.id = j.value CROSS JOIN document d ON d.id = s.document_id`;

type FoundRow = readonly [
  rowId: number,
  sectionId: string,
  documentId: number,
  ordinal: number,
  title: string,
  textHash: number,
  documentTitle: string,
];

/** A hit and its row. */
export interface RowHit extends Hit {
  readonly rowId: number;
  readonly documentId: number;
}

function toHit(row: FoundRow, score: number): RowHit {
  const [rowId, sectionId, documentId, ordinal, title, textHash, documentTitle] = row;
  const lexical = Math.round(score * 10_000) / 10_000;
  return {
    rowId,
    sectionId,
    documentId,
    title,
    documentTitle,
    ordinal,
    copyKey: `${textHash} ${title}`,
    lexical,
  };
}

/** Reads scored rows. @returns in their order */
export function readHits(database: Database, ranked: readonly RankedRow[]): RowHit[] {
  const ids = JSON.stringify(ranked.map(({ row }) => row));
  // The statement makes such rows.
  const found = JSON.parse(text(database.prepare(ROWS).get(ids)?.['rows'])) as readonly FoundRow[];
  const rows = new Map(found.map((row) => [row[0], row]));
  return ranked.flatMap(({ row, score }) => {
    const read = rows.get(row);
    return read ? [toHit(read, score)] : [];
  });
}

/**
 * Reads the best rows.
 * @param known  hits that were read before, by row; others are added
 * @returns best BM25 first, ties by section id
 */
export function readBest(
  database: Database,
  ranked: readonly RankedRow[],
  { fetch, known }: { readonly fetch: number; readonly known: Map<number, RowHit> },
): RowHit[] {
  for (const hit of readHits(
    database,
    ranked.filter(({ row }) => !known.has(row)),
  ))
    known.set(hit.rowId, hit);
  const hits = ranked.flatMap(({ row }) => known.get(row) ?? []);
  return hits.sort(byLexicalThenId).slice(0, fetch);
}
