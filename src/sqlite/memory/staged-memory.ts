import { type ImportedRow, MEMORY_TABLES, type MemoryTable } from '../../core/ports/memory-store.port.js';
import { type Database, openDatabase } from '../driver.js';

/** A staged row: its floats separately, the rest as JSON. */
interface StagedRow extends Omit<ImportedRow, 'embedding'> {
  readonly model: string | null;
}

export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isTable(name: unknown): name is MemoryTable {
  return MEMORY_TABLES.some((table) => table === name);
}

function parseStaged(json: string, vector: unknown): ImportedRow {
  const { model, ...row } = JSON.parse(json) as StagedRow;
  if (!isTable(row.table)) throw new Error('a staged row belongs to no table');
  if (model === null || !(vector instanceof Uint8Array)) return { ...row, embedding: null };
  // A copy, because floats must be aligned to four bytes.
  return { ...row, embedding: { model, vector: new Float32Array(Uint8Array.from(vector).buffer) } };
}

/** Rows of an unfinished import, in an unnamed temporary file, which disappears with the process. */
export class StagedMemory {
  private readonly database: Database;
  /** Number of rows with a repeated id. */
  repeated = 0;
  count = 0;

  constructor() {
    this.database = openDatabase('');
    this.database.exec(
      'CREATE TABLE staged (id TEXT PRIMARY KEY, row TEXT NOT NULL, vector BLOB) WITHOUT ROWID; BEGIN',
    );
  }

  put(rows: readonly ImportedRow[]): void {
    const has = this.database.prepare('SELECT 1 FROM staged WHERE id = ?');
    const put = this.database.prepare('INSERT OR REPLACE INTO staged VALUES (?, ?, ?)');
    for (const { embedding, ...row } of rows) {
      const isRepeated = has.get(row.id) !== undefined;
      this.repeated += Number(isRepeated);
      this.count += Number(!isRepeated);
      const vector = embedding && bytesOf(embedding.vector);
      put.run(row.id, JSON.stringify({ ...row, model: embedding?.model ?? null }), vector);
    }
  }

  has(id: string): boolean {
    return this.database.prepare('SELECT 1 FROM staged WHERE id = ?').get(id) !== undefined;
  }

  /** All rows, in the order of their ids. */
  *rows(): Generator<ImportedRow> {
    const all = this.database.prepare('SELECT row, vector FROM staged ORDER BY id');
    for (const { row, vector } of all.iterate()) yield parseStaged(String(row), vector);
  }

  close(): void {
    this.database.close();
  }
}
