import type { WorkSpace } from '../../../core/ports/work/work-space.js';
import { substrateFull } from '../../../core/work/substrate-failures.js';
import type { Database } from '../driver.js';

/** Bytes of each space, rows and unfinished uploads included. */
export const USAGE_TABLE = `
  CREATE TABLE IF NOT EXISTS substrate_usage (project TEXT NOT NULL, environment TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (project, environment)) WITHOUT ROWID`;

/** Counted for a row beside its texts: its numbers, its entries in indexes and its share of empty space in pages (bytes). */
const ROW_BYTES = 384;

/** Adds to the bytes of a space. @param bytes  negative for bytes that are removed @throws BudgetExceededError `substrate_full` */
export function charge(database: Database, space: WorkSpace, change: { bytes: number; max: number }): void {
  const used = database
    .prepare(
      `INSERT INTO substrate_usage (project, environment, bytes) VALUES (:projectId, :environment, :bytes)
       ON CONFLICT DO UPDATE SET bytes = bytes + :bytes RETURNING bytes`,
    )
    .get({ ...space, bytes: change.bytes })?.['bytes'];
  if (change.bytes > 0 && Number(used) > change.max) throw substrateFull(change.max);
}

/** Adds a row to the bytes of a space. @param row  its values @throws BudgetExceededError `substrate_full` */
export function chargeRow(
  database: Database,
  space: WorkSpace,
  { row, max }: { readonly row: object; readonly max: number },
): void {
  const texts = Object.values(row).filter((value) => typeof value === 'string');
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), ROW_BYTES);
  charge(database, space, { bytes, max });
}
