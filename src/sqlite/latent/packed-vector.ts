import { LARGEST_CODE, largestMagnitude } from './quantised-rows.js';

const SCALE_BYTES = 4;

/** Packs a vector: one byte per component, then the factor that restores length 1 (float32, little endian). */
export function packVector(vector: Float32Array): Uint8Array {
  const { length } = vector;
  const packed = new Uint8Array(length + SCALE_BYTES);
  const largest = largestMagnitude(vector);
  if (largest === 0) return packed;
  let squares = 0;
  for (let i = 0; i < length; i++) {
    const code = Math.round(((vector[i] ?? 0) * LARGEST_CODE) / largest);
    packed[i] = code;
    squares += code * code;
  }
  new DataView(packed.buffer).setFloat32(length, 1 / Math.sqrt(squares), true);
  return packed;
}

/**
 * Cosine of the angle between a unit vector and a packed one, in [-1, 1]; 0 if either vector is zero.
 * @throws RangeError for different numbers of components: the vectors are from different spaces
 */
export function similarity(query: Float32Array, packed: Uint8Array): number {
  const { length } = query;
  if (packed.length !== length + SCALE_BYTES) {
    throw new RangeError(
      `Vectors of different lengths were compared: ${length} and ${packed.length - SCALE_BYTES} components.`,
    );
  }
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (query[i] ?? 0) * (((packed[i] ?? 0) << 24) >> 24);
  const scale = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getFloat32(length, true);
  return Math.max(-1, Math.min(1, sum * scale));
}

/**
 * `similarity` for many vectors, stored one after the other. Four separate sums let the processor add in parallel.
 * @param cosines  receives the results; its length is the number of vectors
 * @throws RangeError if `packed` is too short
 */
export function similarities(query: Float32Array, packed: Uint8Array, cosines: Float32Array): void {
  const { length } = query;
  const width = length + SCALE_BYTES;
  if (packed.length < width * cosines.length) {
    throw new RangeError(`${cosines.length} vectors of ${length} components are not ${packed.length} bytes.`);
  }
  const codes = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let row = 0; row < cosines.length; row++) {
    const start = row * width;
    let [sum0, sum1, sum2, sum3, i] = [0, 0, 0, 0, 0];
    for (; i + 3 < length; i += 4) {
      const at = start + i;
      sum0 += (query[i] ?? 0) * (codes[at] ?? 0);
      sum1 += (query[i + 1] ?? 0) * (codes[at + 1] ?? 0);
      sum2 += (query[i + 2] ?? 0) * (codes[at + 2] ?? 0);
      sum3 += (query[i + 3] ?? 0) * (codes[at + 3] ?? 0);
    }
    for (; i < length; i++) sum0 += (query[i] ?? 0) * (codes[start + i] ?? 0);
    const cosine = (sum0 + sum1 + sum2 + sum3) * view.getFloat32(start + length, true);
    cosines[row] = Math.max(-1, Math.min(1, cosine));
  }
}

/** Reverses `packVector`, except for rounding. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const length = packed.length - SCALE_BYTES;
  const scale = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getFloat32(length, true);
  return Float32Array.from({ length }, (_, i) => (((packed[i] ?? 0) << 24) >> 24) * scale);
}
