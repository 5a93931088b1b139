import type { SparseRow } from '../../../../src/sqlite/latent/sparse-rows.js';

/** Makes a sparse row from values by column. */
export function aSparseRow(values: Readonly<Record<number, number>>): SparseRow {
  return {
    columns: Int32Array.from(Object.keys(values), Number),
    values: Float32Array.from(Object.values(values)),
  };
}
