/** Scales a vector to length 1; null for a zero vector and for values that are not finite. */
export function unitVector(values: readonly number[]): Float32Array | null {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(values, (value) => value / length);
}
