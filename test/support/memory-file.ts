import { writeFileSync } from 'node:fs';
import type { MemoryTable } from '../../src/core/ports/memory-store.port.js';
import { runPith } from './processes.js';

/** A row in a file for `pith memory import`. */
export interface FileRow {
  readonly table: MemoryTable;
  readonly text: string;
  readonly id?: string;
  readonly origin?: string;
  readonly tags?: readonly string[];
  readonly is_private?: boolean;
  readonly created_at?: string;
  readonly embedding?: readonly number[];
  readonly embedding_model?: string;
}

/** Imports rows with the program itself. */
export async function importRows(rows: readonly FileRow[], file: string, index: string): Promise<void> {
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { code, stderr, stdout } = await runPith(['memory', 'import', file, '--index', index]);
  if (code !== 0) throw new Error(`pith memory import exited with ${code}: ${stderr}${stdout}`);
}

const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, i) => `word${from * 31 + i}`).join(' ');

/** Rows of a table about one topic, with decreasing relevance. */
export function rowsAbout(topic: string, table: MemoryTable, count: number): FileRow[] {
  return Array.from({ length: count }, (_, i) => ({
    table,
    id: `${topic}-${i}`,
    text: `${topic} ${words(i, i + 100 * table.length)}`,
    origin: 'human',
    created_at: '2025-09-02T21:11:00Z',
  }));
}

/** Rows about unrelated topics, so that the words of a topic are rare. */
export function otherRows(count: number): FileRow[] {
  return Array.from({ length: count }, (_, i) => ({
    table: (['thoughts', 'kg_entities', 'kg_observations'] as const)[i % 3] ?? 'thoughts',
    id: `other-${i}`,
    text: `Entry of day${i % 97} about place${i % 89} and person${i % 83}.`,
  }));
}
