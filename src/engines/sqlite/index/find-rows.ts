import { byLexicalThenId, type Hit } from '../../../kb/search/score-hits.js';
import type { RankedRow } from '../best-rows.js';
import type { Database } from '../driver.js';
import { bytesOrNull, type Row, text } from '../row-values.js';

/** Extra rows to read: ties at the end of the list are then also ordered by section id. */
export const SPARE_ROWS = 40;

const ROWS = `SELECT s.id, s.section_id, s.document_id, s.ordinal, s.title, s.text_hash, d.title AS document_title, v.vector
  FROM json_each(?) j CROSS JOIN section s ON s.id = j.value CROSS JOIN document d ON d.id = s.document_id
  LEFT JOIN section_vector v ON v.id = s.id`;

/** A hit and its row. */
export interface RowHit extends Hit {
  readonly rowId: number;
  readonly documentId: number;
  /** The section's stored vector; null if it has none. */
  readonly packed: Uint8Array | null;
}

function toHit(row: Row, score: number): RowHit {
  return {
    rowId: Number(row['id']),
    sectionId: text(row['section_id']),
    documentId: Number(row['document_id']),
    title: text(row['title']),
    documentTitle: text(row['document_title']),
    ordinal: Number(row['ordinal']),
    copyKey: `${Number(row['text_hash'])} ${text(row['title'])}`,
    lexical: Math.round(score * 10_000) / 10_000,
    packed: bytesOrNull(row['vector']),
  };
}

/** Reads scored rows. @returns in their order */
export function readHits(database: Database, ranked: readonly RankedRow[]): RowHit[] {
  const found = database.prepare(ROWS).all(JSON.stringify(ranked.map(({ row }) => row)));
  const rows = new Map(found.map((row) => [Number(row['id']), row]));
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
