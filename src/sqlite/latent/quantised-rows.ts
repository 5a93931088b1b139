/** A dense matrix with one byte per element: element = code · scale of its row. */
export interface QuantisedRows {
  /** Row after row, each in [-127, 127]. */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

/** Codes range from -127 to 127; -128 is unused, so that the range is symmetric. */
export const LARGEST_CODE = 127;

/** The largest absolute value; 0 for no values. */
export function largestMagnitude(values: Float32Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** Rounds each row to multiples of 1/127 of its largest magnitude; the error is at most 1/254 of that. */
export function quantiseRows(matrix: Float32Array, width: number): QuantisedRows {
  const codes = new Int8Array(matrix.length);
  const scales = new Float32Array(width === 0 ? 0 : matrix.length / width);
  for (let row = 0; row < scales.length; row++) {
    const values = matrix.subarray(row * width, (row + 1) * width);
    const largest = largestMagnitude(values);
    if (largest === 0) continue;
    scales[row] = largest / LARGEST_CODE;
    for (let c = 0; c < width; c++) {
      codes[row * width + c] = Math.round(((values[c] ?? 0) * LARGEST_CODE) / largest);
    }
  }
  return { codes, scales };
}
