import {
  type ImportedRow,
  MEMORY_TABLES,
  type MemoryQuery,
  type MemoryTable,
} from '../../src/core/ports/memory-store.port.js';
import { prefixedId } from '../../src/memory/rows/memory-line.js';
import { NOW } from './builders.js';

/** The properties of a row that matter to a test; the others have defaults. */
export type RowParts = Partial<ImportedRow>;

/** A thought of 2026-01-01 that is not private. */
export function aRow(parts: RowParts = {}): ImportedRow {
  const { table = 'thoughts', id = 'row' } = parts;
  return {
    text: 'Plain text.',
    origin: null,
    tags: [],
    isPrivate: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    embedding: null,
    ...parts,
    table,
    id: prefixedId(table, id),
  };
}

/** Rows about nothing in particular, with ids that sort before those that begin with a letter. */
export function otherRows(count: number, table: MemoryTable = 'thoughts'): ImportedRow[] {
  return Array.from({ length: count }, (_, i) =>
    aRow({ table, id: `0${String(i).padStart(4, '0')}`, text: `Entry w${i % 97} x${i % 89} y${i % 83}.` }),
  );
}

/** The same text in every table. */
export function inEveryTable(parts: RowParts): ImportedRow[] {
  return MEMORY_TABLES.map((table) => aRow({ ...parts, table }));
}

/** A query that matches all rows except private ones. */
export function aMemoryQuery(text: string, parts: Partial<MemoryQuery> = {}): MemoryQuery {
  return {
    text,
    perTable: 50,
    includePrivate: false,
    includeTags: null,
    ownTag: null,
    excludeTags: [],
    createdFrom: null,
    createdTo: null,
    halfLifeDays: null,
    now: NOW,
    ...parts,
  };
}
