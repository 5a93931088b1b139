import type { WorkSpace } from '../../../core/ports/work/work-space.js';
import { substrateFull } from '../../../core/work/substrate-failures.js';
import type { Database } from '../driver.js';

/** Bytes of each space, unfinished uploads included. */
export const USAGE_TABLE = `
  CREATE TABLE IF NOT EXISTS substrate_usage (project TEXT NOT NULL, environment TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (project, environment)) WITHOUT ROWID`;

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
