/** A dense matrix in one byte an element: element = code · the scale of its row. */
export interface QuantisedRows {
  /** Row after row, each in [-127, 127]. */
  readonly codes: Int8Array;
  readonly scales: Float32Array;
}

/** Codes reach from -127 to 127; -128 stays unused, so that signs are alike. */
export const LARGEST_CODE = 127;

/** The largest absolute value; 0 of none. */
export function largestMagnitude(values: Float32Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest;
}

/** Rounds each row to whole multiples of a 127th of its largest magnitude: off by at most a 254th of that. */
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
