import {
  type EmbeddedRows,
  MEMORY_TABLES,
  type MemorySpace,
  type MemoryStatus,
} from '../../core/ports/memory-store.port.js';
import { countIn, type Database, type Row } from '../driver.js';
import { countRows } from './memory-embedding.js';
import { byTable, type MemoryMeta, tableOf } from './memory-schema.js';
import { isSameSpace } from './memory-space.js';

/** The counts of all tables, grouped by some columns. */
function grouped(database: Database, columns: string): readonly Row[] {
  return MEMORY_TABLES.flatMap((table) =>
    database.prepare(`SELECT ${columns}, count(*) AS n FROM ${tableOf(table)} GROUP BY ${columns}`).all(),
  );
}

function summed(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + Number(row['n']));
  return sums;
}

function embeddedRows(database: Database): EmbeddedRows[] {
  const rows = grouped(database, 'provider, model, dim');
  const sums = summed(rows, ({ provider, model, dim }) => JSON.stringify([provider, model, dim]));
  return [...sums]
    .map(([key, count]) => {
      const [provider, model, dim] = JSON.parse(key) as [unknown, unknown, unknown];
      return { provider: String(provider), model: String(model), dim: Number(dim), rows: count };
    })
    .sort((a, b) => b.rows - a.rows || (a.model < b.model ? -1 : 1));
}

/** Counts the rows of memory. @param space  of questions */
export function readMemoryStatus(database: Database, meta: MemoryMeta, space: MemorySpace): MemoryStatus {
  const embedded = embeddedRows(database);
  const bySource = summed(grouped(database, 'source'), ({ source }) => String(source));
  return {
    space,
    generation: meta.generation,
    rows: byTable((table) => countIn(database, tableOf(table))),
    privateRows: countRows(database, 'is_private <> 0'),
    embedded,
    incomparable: embedded.reduce((sum, rows) => sum + (isSameSpace(rows, space) ? 0 : rows.rows), 0),
    sources: [...bySource]
      .map(([source, rows]) => ({ source, rows }))
      .sort((a, b) => (a.source < b.source ? -1 : 1)),
  };
}
