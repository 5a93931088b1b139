// After subtracting the previous columns, a column with less than this share of its squared length is rounding noise.
// Entries are float32 (relative error 6e-8, squared 4e-15); real columns of a corpus stay above 1e-7.
const NOISE = 1e-11;

// Zero rows or elements added at the end, so that loops in steps of four need no code for the rest.
const PADDING = 3;

/** Inner products of all pairs of columns, `width` × `width`, upper triangle only; four rows at a time. */
function columnProducts(matrix: Float32Array, width: number): Float64Array {
  const products = new Float64Array(width * width);
  for (let row0 = 0; row0 < matrix.length; row0 += 4 * width) {
    const row1 = row0 + width;
    const row2 = row1 + width;
    const row3 = row2 + width;
    for (let i = 0; i < width; i++) {
      // Reads past the last row give undefined, which adds 0.
      const a = matrix[row0 + i] ?? 0;
      const b = matrix[row1 + i] ?? 0;
      const c = matrix[row2 + i] ?? 0;
      const d = matrix[row3 + i] ?? 0;
      for (let j = i; j < width; j++) {
        products[i * width + j] =
          (products[i * width + j] ?? 0) +
          a * (matrix[row0 + j] ?? 0) +
          b * (matrix[row1 + j] ?? 0) +
          c * (matrix[row2 + j] ?? 0) +
          d * (matrix[row3 + j] ?? 0);
      }
    }
  }
  return products;
}

interface Factor {
  /** Upper triangular R with Rᵀ R = the products, row after row. */
  readonly upper: Float64Array;
  /** One over each element of R's diagonal; 0 marks a column that depends on those before it. */
  readonly inverseDiagonal: Float64Array;
}

/** Cholesky factor of a symmetric, possibly singular matrix; overwrites its argument with R. */
function factorise(products: Float64Array, width: number): Factor {
  const inverseDiagonal = new Float64Array(width);
  const lengths = Float64Array.from({ length: width }, (_, i) => products[i * width + i] ?? 0);
  for (let i = 0; i < width; i++) {
    const left = products[i * width + i] ?? 0;
    const inverse = left > NOISE * (lengths[i] ?? 0) ? 1 / Math.sqrt(left) : 0;
    inverseDiagonal[i] = inverse;
    for (let j = i; j < width; j++) products[i * width + j] = (products[i * width + j] ?? 0) * inverse;
    for (let r = i + 1; r < width; r++) {
      const factor = products[i * width + r] ?? 0;
      for (let j = r; j < width; j++) {
        products[r * width + j] = (products[r * width + j] ?? 0) - factor * (products[i * width + j] ?? 0);
      }
    }
  }
  return { upper: products, inverseDiagonal };
}

/** The inverse of R, row after row, by substitution; zero for columns that depend on others. */
function invert({ upper, inverseDiagonal }: Factor): Float64Array {
  const width = inverseDiagonal.length;
  const inverse = new Float64Array((width + PADDING) * width);
  for (let r = 0; r < width; r++) {
    inverse[r * width + r] = 1;
    for (let c = r; c < width; c++) {
      const value = (inverse[r * width + c] ?? 0) * (inverseDiagonal[c] ?? 0);
      inverse[r * width + c] = value;
      for (let j = c + 1; j < width; j++) {
        inverse[r * width + j] = (inverse[r * width + j] ?? 0) - value * (upper[c * width + j] ?? 0);
      }
    }
  }
  return inverse;
}

/** Multiplies each row of a matrix by an upper triangular one, in place, four elements at a time. */
function multiplyByUpper(matrix: Float32Array, upper: Float64Array, width: number): void {
  const row = new Float64Array(width + PADDING);
  const product = new Float64Array(width);
  for (let start = 0; start < matrix.length; start += width) {
    for (let c = 0; c < width; c++) row[c] = matrix[start + c] ?? 0;
    product.fill(0);
    for (let c = 0; c < width; c += 4) {
      const a = row[c] ?? 0;
      const b = row[c + 1] ?? 0;
      const d = row[c + 2] ?? 0;
      const e = row[c + 3] ?? 0;
      for (let j = c, at = c * width + c; j < width; j++, at++) {
        product[j] =
          (product[j] ?? 0) +
          a * (upper[at] ?? 0) +
          b * (upper[at + width] ?? 0) +
          d * (upper[at + 2 * width] ?? 0) +
          e * (upper[at + 3 * width] ?? 0);
      }
    }
    matrix.set(product, start);
  }
}

/**
 * Makes the columns of a tall matrix orthonormal in place, by Cholesky-QR. For every n, the first n columns still span
 * the same space, and each column keeps its orientation. Products are summed in float64, so one pass is accurate up to
 * a condition number of about 1e5. Columns that depend on previous ones become zero.
 * @param matrix  dense, row after row, `width` wide; changed
 */
export function orthonormalise(matrix: Float32Array, width: number): void {
  multiplyByUpper(matrix, invert(factorise(columnProducts(matrix, width), width)), width);
}
