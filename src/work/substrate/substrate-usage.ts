import type { Sql } from '../../sqlite/stores/sql-database.port.js';
import { spaceValues } from '../work-rows.js';
import type { WorkSpace } from '../work-space.js';
import { substrateFull } from './substrate-failures.js';

/** Bytes that count for a row in addition to its texts: numbers, entries in indexes, empty space in pages. */
const ROW_BYTES = 384;

/** Adds to the bytes of a space. @param bytes  negative for bytes that are removed @throws BudgetExceededError `substrate_full` */
export async function charge(
  sql: Sql,
  space: WorkSpace,
  { bytes, max }: { readonly bytes: number; readonly max: number },
): Promise<void> {
  const [row] = await sql(
    `INSERT INTO substrate_usage (project, environment, bytes) VALUES (:projectId, :environment, :bytes)
     ON CONFLICT (project, environment) DO UPDATE SET bytes = substrate_usage.bytes + excluded.bytes RETURNING bytes`,
    { ...spaceValues(space), bytes },
  );
  if (bytes > 0 && Number(row?.['bytes']) > max) throw substrateFull(max);
}

/** Adds rows to the bytes of a space. @param rows  their values @throws BudgetExceededError `substrate_full` */
export async function chargeRows(
  sql: Sql,
  space: WorkSpace,
  { rows, max }: { readonly rows: readonly object[]; readonly max: number },
): Promise<void> {
  const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'string');
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), rows.length * ROW_BYTES);
  await charge(sql, space, { bytes, max });
}
