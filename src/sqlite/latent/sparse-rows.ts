// `?? 0` after reads of typed arrays is only for the type checker; it makes no measurable difference.

/** A row of a sparse matrix: the non-zero columns, ascending, and their values. */
export interface SparseRow {
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

/**
 * Multiplies a sparse row by a dense matrix and adds the result to `sum`. Four rows at a time are twice as fast as one,
 * because `sum` is read and written a quarter as often.
 * @param sum  as wide as the matrix; changed
 * @param matrix  dense, row after row
 */
export function addWeightedRows(
  sum: Float64Array,
  matrix: Float32Array | Int8Array,
  { columns, values }: SparseRow,
): void {
  const width = sum.length;
  let i = 0;
  for (; i + 3 < columns.length; i += 4) {
    const row0 = (columns[i] ?? 0) * width;
    const value0 = values[i] ?? 0;
    const row1 = (columns[i + 1] ?? 0) * width;
    const value1 = values[i + 1] ?? 0;
    const row2 = (columns[i + 2] ?? 0) * width;
    const value2 = values[i + 2] ?? 0;
    const row3 = (columns[i + 3] ?? 0) * width;
    const value3 = values[i + 3] ?? 0;
    for (let c = 0; c < width; c++) {
      sum[c] =
        (sum[c] ?? 0) +
        value0 * (matrix[row0 + c] ?? 0) +
        value1 * (matrix[row1 + c] ?? 0) +
        value2 * (matrix[row2 + c] ?? 0) +
        value3 * (matrix[row3 + c] ?? 0);
    }
  }
  for (; i < columns.length; i++) {
    const row = (columns[i] ?? 0) * width;
    const value = values[i] ?? 0;
    for (let c = 0; c < width; c++) sum[c] = (sum[c] ?? 0) + value * (matrix[row + c] ?? 0);
  }
}

/**
 * Multiplies a sparse matrix by a dense one.
 * @param matrix  dense, row after row
 * @param width  number of columns of `matrix` and of the result
 * @returns dense, row after row
 */
export function multiply(rows: readonly SparseRow[], matrix: Float32Array, width: number): Float32Array {
  const product = new Float32Array(rows.length * width);
  const sum = new Float64Array(width);
  rows.forEach((row, r) => {
    sum.fill(0);
    addWeightedRows(sum, matrix, row);
    product.set(sum, r * width);
  });
  return product;
}

/** The transpose of a sparse matrix: one row for each of its columns. */
export function transpose(rows: readonly SparseRow[], columnCount: number): SparseRow[] {
  const counts = new Int32Array(columnCount);
  for (const { columns } of rows) for (const column of columns) counts[column] = (counts[column] ?? 0) + 1;
  const turned = Array.from(counts, (n) => ({ columns: new Int32Array(n), values: new Float32Array(n) }));
  const filled = new Int32Array(columnCount);
  rows.forEach(({ columns, values }, r) => {
    columns.forEach((column, i) => {
      const target = turned[column];
      const at = filled[column] ?? 0;
      filled[column] = at + 1;
      if (target === undefined) return;
      target.columns[at] = r;
      target.values[at] = values[i] ?? 0;
    });
  });
  return turned;
}
