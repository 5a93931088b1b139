import fc from 'fast-check';
import { packVector, similarity } from '../../../../src/sqlite/latent/packed-vector.js';
import { scaleToUnit } from '../../../../src/sqlite/latent/vocabulary.js';

function unit(...values: number[]): Float32Array {
  const vector = new Float32Array(values);
  scaleToUnit(vector);
  return vector;
}

const vectors = fc
  .array(fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 })), {
    minLength: 1,
    maxLength: 40,
  })
  .map((pairs) => [unit(...pairs.map(([a]) => a)), unit(...pairs.map(([, b]) => b))] as const);

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

describe('packVector', () => {
  it('uses a byte per component and four for the scale', () => {
    expect(packVector(unit(1, -1, 0))).toEqual(new Uint8Array([127, 129, 0, 215, 113, 182, 59]));
  });

  it('keeps a zero vector zero', () => {
    expect(packVector(new Float32Array(2))).toEqual(new Uint8Array(6));
  });
});

describe('similarity', () => {
  it.each<[string, number[], number[], number]>([
    ['1 for the same direction', [3, 4], [3, 4], 1],
    ['-1 for the opposite one', [3, 4], [-3, -4], -1],
    ['0 at right angles', [1, 0], [0, 1], 0],
    ['0 for a zero vector', [1, 0], [0, 0], 0],
    ['0 for a zero query', [0, 0], [1, 0], 0],
    ['0 in a space without dimensions', [], [], 0],
  ])('is %s', (_, query, section, expected) => {
    expect(similarity(unit(...query), packVector(unit(...section)))).toBeCloseTo(expected, 4);
  });

  it('differs from the cosine by at most a hundredth, and stays within [-1, 1]', () => {
    fc.assert(
      fc.property(vectors, ([a, b]) => {
        const found = similarity(a, packVector(b));
        expect(Math.abs(found)).toBeLessThanOrEqual(1);
        expect(Math.abs(found - cosine(a, b))).toBeLessThan(0.02);
      }),
    );
  });

  it('reads a vector at any offset of a larger buffer', () => {
    const within = new Uint8Array([9, 9, 9, ...packVector(unit(3, 4)), 9]).subarray(3, 9);
    expect(similarity(unit(3, 4), within)).toBeCloseTo(1, 4);
  });

  it('refuses a vector of another length', () => {
    expect(() => similarity(unit(1, 0), packVector(unit(1)))).toThrow(RangeError);
  });
});
