import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { embedTerms, fitLatentSpace } from '../../../../src/sqlite/latent/latent-space.js';
import { packSpace } from '../../../../src/sqlite/latent/pack-space.js';
import { packVector, similarity } from '../../../../src/sqlite/latent/packed-vector.js';

/** "Car" and "automobile" co-occur with the same words, but share no section; so do "cat" and "kitten". */
const sections = [
  ['car', 'engine', 'road'],
  ['automobile', 'engine', 'road'],
  ['car', 'wheel', 'engine'],
  ['automobile', 'wheel', 'road'],
  ['cat', 'fur', 'claw'],
  ['kitten', 'fur', 'claw'],
  ['cat', 'whisker', 'fur'],
  ['kitten', 'whisker', 'claw'],
];

const space = fitLatentSpace(sections, 2);
const likeness = (a: string[], b: string[]): number =>
  similarity(embedTerms(space, a), packVector(embedTerms(space, b)));
const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);

describe('fitLatentSpace', () => {
  it('puts words close together that co-occur with the same words', () => {
    expect(likeness(['car'], ['automobile'])).toBeGreaterThan(0.95);
    expect(likeness(['cat'], ['kitten'])).toBeGreaterThan(0.95);
  });

  it('keeps words apart that co-occur with different words', () => {
    expect(Math.abs(likeness(['car'], ['cat']))).toBeLessThan(0.1);
  });

  it('gives the same bytes on every machine; if this fails, LATENT_VERSION has to change', () => {
    expect(createHash('sha256').update(packSpace(space)).digest('hex')).toBe(
      '5223dd21edab37d1924e09cb8e563a80fead9652fb9a39b465635cd8c3b50beb',
    );
  });

  it('gives the same bytes for any order of terms within sections', () => {
    const turned = sections.map((terms) => [...terms].reverse());
    expect(packSpace(fitLatentSpace(turned, 2))).toEqual(packSpace(space));
  });

  it.each<[string, string[][], number]>([
    ['no sections', [], 0],
    ['empty sections', [[], [], []], 0],
    ['a single term', [['a'], ['a'], [], [], []], 1],
    ['fewer sections with known terms than dimensions', [['a', 'b'], ['a', 'b'], ['c'], ['d'], ['e']], 2],
    [
      'one section many times',
      [['a', 'b', 'c'], ['a', 'b', 'c'], ['a', 'b', 'c'], ['d'], ['d'], ['d'], ['d']],
      3,
    ],
  ])('uses as many dimensions as possible for %s', (_, few, dimensions) => {
    const small = fitLatentSpace(few);
    expect(small.dimensions).toBe(dimensions);
    expect(lengthOf(embedTerms(small, ['a']))).toBeCloseTo(Math.min(1, dimensions), 5);
  });

  it('leaves unused dimensions at zero', () => {
    const doubled = [['a', 'b'], ['a', 'b'], ['x'], ['y'], ['z']];
    const [first, second] = embedTerms(fitLatentSpace(doubled), ['a', 'b']);
    expect(Math.abs(first ?? 0)).toBeCloseTo(1, 5);
    expect(second).toBe(0);
  });
});

describe('embedTerms', () => {
  it('gives a zero vector if no term is known', () => {
    expect(embedTerms(space, ['unheard', 'of'])).toEqual(new Float32Array(2));
    expect(embedTerms(space, [])).toEqual(new Float32Array(2));
  });

  it('gives vectors of length 1 or 0 for any sections', () => {
    const term = fc.constantFrom(...'abcdefgh');
    const corpora = fc.array(fc.array(term, { maxLength: 6 }), { maxLength: 20 });
    fc.assert(
      fc.property(corpora, fc.array(term, { maxLength: 4 }), (corpus, query) => {
        const length = lengthOf(embedTerms(fitLatentSpace(corpus, 5), query));
        expect(Math.abs(length - Math.round(length))).toBeLessThan(1e-5);
      }),
    );
  });

  it('gives the same vector for any order of terms', () => {
    expect(embedTerms(space, ['car', 'road', 'fur'])).toEqual(embedTerms(space, ['fur', 'car', 'road']));
  });
});
