import { LARGEST_CODE, largestMagnitude } from './quantised-rows.js';

const SCALE_BYTES = 4;

/**
 * A unit vector in one byte a component and four for their scale (float32, little endian, last).
 * The scale makes the unpacked vector a unit vector again.
 */
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
 * Cosine of the angle between a vector and a packed one.
 * @param query  of length 1 or 0
 * @param packed  from `packVector`, of as many components
 * @returns in [-1, 1]; 0 where either vector is zero
 * @throws RangeError when the lengths don't fit: the two are not of one space
 */
export function similarity(query: Float32Array, packed: Uint8Array): number {
  const { length } = query;
  if (packed.length !== length + SCALE_BYTES) {
    throw new RangeError(`A vector of ${length} components met one of ${packed.length - SCALE_BYTES}.`);
  }
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (query[i] ?? 0) * (((packed[i] ?? 0) << 24) >> 24);
  const scale = new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getFloat32(length, true);
  return Math.max(-1, Math.min(1, sum * scale));
}
