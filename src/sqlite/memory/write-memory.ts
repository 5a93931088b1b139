import { createHash } from 'node:crypto';
import {
  type ImportedRow,
  type ImportEnd,
  type ImportReport,
  MEMORY_TABLES,
  type RowProgress,
} from '../../core/ports/memory-store.port.js';
import type { Database } from '../driver.js';
import { tableOf } from './memory-schema.js';
import { bytesOf, type StagedMemory } from './staged-memory.js';

/** Provider of rows with an imported embedding. */
export const FOREIGN_PROVIDER = 'import';

/** Rows between two progress reports. */
const STEP = 500;

/** Hash of all fields of a row, to detect changes. */
export function contentHash({ text, origin, tags, isPrivate, createdAt, embedding }: ImportedRow): string {
  const hash = createHash('sha256').update(
    JSON.stringify([text, origin, tags, isPrivate, createdAt, embedding?.model ?? null]),
  );
  return hash.update(embedding ? bytesOf(embedding.vector) : '').digest('base64url');
}

const VALUES =
  'source, content_hash, origin, tags, is_private, created_at, provider, model, dim, vector, words, text';

function prepare(database: Database, table: string) {
  const names = VALUES.split(', ');
  return {
    find: database.prepare(`SELECT content_hash, source, created_at FROM ${table} WHERE id = ?`),
    insert: database.prepare(
      `INSERT INTO ${table} (${VALUES}, id) VALUES (${names.map(() => '?').join(', ')}, ?)`,
    ),
    update: database.prepare(
      `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
    ),
    own: database.prepare(`UPDATE ${table} SET source = ? WHERE id = ?`),
  };
}

/** The column values of a row; without an embedding the row waits for one. */
function valuesOf(
  row: ImportedRow,
  { source, hash, createdAt }: { source: string; hash: string; createdAt: string },
): (string | number | Uint8Array | null)[] {
  const { embedding } = row;
  return [
    source,
    hash,
    row.origin,
    JSON.stringify(row.tags),
    Number(row.isPrivate),
    createdAt,
    embedding ? FOREIGN_PROVIDER : null,
    embedding?.model ?? null,
    embedding?.vector.length ?? null,
    embedding ? bytesOf(embedding.vector) : null,
    null,
    row.text,
    row.id,
  ];
}

function writeRow(
  row: ImportedRow,
  { find, insert, update, own }: ReturnType<typeof prepare>,
  { source, createdAt }: { readonly source: string; readonly createdAt: string },
): 'added' | 'updated' | 'unchanged' {
  const [known, hash] = [find.get(row.id), contentHash(row)];
  if (known?.['content_hash'] === hash) {
    if (known['source'] !== source) own.run(source, row.id);
    return 'unchanged';
  }
  const made = row.createdAt ?? (known ? String(known['created_at']) : createdAt);
  (known ? update : insert).run(...valuesOf(row, { source, hash, createdAt: made }));
  return known ? 'updated' : 'added';
}

/** Removes the rows of a source that are not kept. @returns number of removed rows */
export function removeRows(database: Database, source: string, isKept: (id: string) => boolean): number {
  let removed = 0;
  for (const table of MEMORY_TABLES) {
    const rows = database.prepare(`SELECT row, id FROM ${tableOf(table)} WHERE source = ?`).all(source);
    const remove = database.prepare(`DELETE FROM ${tableOf(table)} WHERE row = ?`);
    for (const { row, id } of rows) {
      if (isKept(String(id))) continue;
      remove.run(Number(row));
      removed++;
    }
  }
  return removed;
}

/** Writes staged rows; new rows wait for a vector. */
export function writeMemory(
  database: Database,
  staged: StagedMemory,
  { source, end, onProgress }: { source: string; end: ImportEnd; onProgress: RowProgress },
): ImportReport {
  const statements = new Map(MEMORY_TABLES.map((table) => [table, prepare(database, tableOf(table))]));
  const counts = { added: 0, updated: 0, unchanged: 0 };
  let done = 0;
  for (const row of staged.rows()) {
    const prepared = statements.get(row.table);
    if (!prepared) continue;
    counts[writeRow(row, prepared, { source, createdAt: end.createdAt })]++;
    if (++done % STEP === 0) onProgress({ done, total: staged.count });
  }
  const removed = end.removeMissing ? removeRows(database, source, (id) => staged.has(id)) : 0;
  return { ...counts, removed, repeated: staged.repeated };
}
