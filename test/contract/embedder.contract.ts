import fc from 'fast-check';
import type { Embedder } from '../../src/core/ports/embedder.port.js';
import { similarities, similarity } from '../../src/sqlite/latent/packed-vector.js';
import { searchTerms } from '../../src/text/terms/search-terms.js';
import { latentCorpus } from './latent-corpus.js';

/** Terms of sections in which "lorry" and "truck" co-occur with the same words. */
const SECTIONS = latentCorpus(58).flatMap(({ sections }) => sections.map(({ text }) => searchTerms(text)));
const SIZES = fc.integer({ min: 0, max: 200_000 });
const TERMS = fc.array(fc.constantFrom('lorri', 'truck', 'cargo', 'akorb', 'akust', 'unheard'), {
  maxLength: 6,
});

/** The rules for every `Embedder`, with or without vectors. */
export function embedderContract(name: string, make: () => Embedder): void {
  describe(`${name} is an Embedder`, () => {
    it('has a name, dimensions and a weight', () => {
      const { profile } = make();
      expect(profile.name).toMatch(/^[\w.-]+$/);
      expect(Number.isInteger(profile.dimensions) && profile.dimensions >= 0).toBe(true);
      expect(profile.weight).toBeGreaterThanOrEqual(0);
      expect(make().profile).toEqual(profile);
    });

    it('is not worth fitting on an empty index', () => {
      expect(make().isWorthFitting(0)).toBe(false);
    });

    it('is worth fitting on every index that is larger than one that is worth fitting on', () => {
      const embedder = make();
      fc.assert(
        fc.property(SIZES, SIZES, (a, b) => {
          const [small, large] = [Math.min(a, b), Math.max(a, b)];
          expect(embedder.isWorthFitting(small) && !embedder.isWorthFitting(large)).toBe(false);
        }),
      );
    });

    it('selects the same sections every time', () => {
      fc.assert(
        fc.property(fc.nat(9_999), fc.integer({ min: 10_000, max: 90_000 }), (position, count) => {
          expect(make().isFitted(position, count)).toBe(make().isFitted(position, count));
        }),
      );
    });
  });
}

const compare = (question: Float32Array | null, vector: Uint8Array): number | undefined =>
  question ? similarity(question, vector) : undefined;

/** Further rules for an `Embedder` that makes vectors. */
export function fittingEmbedderContract(name: string, make: () => Embedder): void {
  describe(`${name} makes vectors`, () => {
    const embedder = make();
    const space = embedder.fit(SECTIONS);
    const cosine = (question: string[], text: string[]): number | undefined =>
      compare(space.question(question), space.embed(text));

    it('has a positive weight and is worth fitting on a large index', () => {
      expect(embedder.profile.weight).toBeGreaterThan(0);
      expect(embedder.isWorthFitting(1_000_000)).toBe(true);
    });

    it('fits on all sections of a small index, and on a sample of a large one', () => {
      const fitted = (count: number) =>
        Array.from({ length: count }, (_, i) => embedder.isFitted(i, count)).filter(Boolean).length;
      expect(fitted(100)).toBe(100);
      expect(fitted(50_000)).toBeGreaterThan(1_000);
    });

    it('puts texts close together whose terms co-occur with the same terms', () => {
      expect(cosine(['truck'], ['lorri'])).toBeGreaterThan(0.3);
      expect(cosine(['truck'], ['akorb'])).toBeLessThan(0.1);
    });

    it('finds a text nearest to itself', () => {
      expect(cosine(['truck', 'cargo'], ['truck', 'cargo'])).toBeGreaterThan(0.98);
    });

    it('gives cosines from -1 to 1', () => {
      fc.assert(
        fc.property(TERMS, TERMS, (question, text) => {
          expect(Math.abs(cosine(question, text) ?? 0)).toBeLessThanOrEqual(1);
        }),
      );
    });

    it('compares many texts at once with the same results as one by one', () => {
      const texts = [['lorri'], ['truck', 'cargo'], ['unheard'], ['akorb', 'akust']];
      const vectors = texts.map((text) => space.embed(text));
      const together = Uint8Array.from(vectors.flatMap((vector) => [...vector]));
      const cosines = new Float32Array(texts.length);
      const question = space.question(['truck', 'cargo']);
      if (question) similarities(question, together, cosines);
      texts.forEach((text, i) => expect(cosines[i]).toBeCloseTo(cosine(['truck', 'cargo'], text) ?? 9, 6));
    });

    it('makes no vector if no term of the question is known', () => {
      expect(space.question(['unheard', 'of'])).toBeNull();
      expect(space.question([])).toBeNull();
    });

    it('gives a text without known terms a similarity of 0', () => {
      expect(cosine(['truck'], ['unheard'])).toBe(0);
      expect(cosine(['truck'], [])).toBe(0);
    });

    it('gives the same bytes for any order of terms', () => {
      fc.assert(
        fc.property(TERMS, (terms) => {
          expect(space.embed(terms.toReversed())).toEqual(space.embed(terms));
        }),
      );
    });

    it('gives vectors of equal length, with at most a few bytes more than its dimensions', () => {
      const { length } = space.embed(['truck']);
      expect(space.embed(['unheard'])).toHaveLength(length);
      expect(length).toBeLessThanOrEqual(embedder.profile.dimensions * 4 + 16);
    });

    it('gives the same space for the same sections', () => {
      expect(make().fit(SECTIONS).pack()).toEqual(space.pack());
    });

    it('unpacks a packed space, in another process as well', () => {
      const again = make().unpack(Uint8Array.from(space.pack()));
      expect(again.pack()).toEqual(space.pack());
      expect(again.embed(['truck', 'akust'])).toEqual(space.embed(['truck', 'akust']));
      expect(compare(again.question(['truck']), space.embed(['cargo']))).toBe(cosine(['truck'], ['cargo']));
    });

    it.each<[string, string[][]]>([
      ['no sections', []],
      ['empty sections', [[], []]],
      ['one section', [['car']]],
      ['sections that are all alike', [['car'], ['car'], ['car']]],
    ])('accepts %s for fitting, and then knows no terms', (_, sections) => {
      const empty = embedder.fit(sections);
      expect(empty.question(['car'])).toBeNull();
      expect(embedder.unpack(empty.pack()).embed(['car'])).toEqual(empty.embed(['car']));
    });

    const changed = (at: number): Uint8Array => space.pack().map((byte, i) => (i === at ? byte ^ 1 : byte));

    it.each<[string, Uint8Array]>([
      ['no bytes', new Uint8Array()],
      ['other bytes', new TextEncoder().encode('These are the bytes of something else entirely.')],
      ['bytes that were cut', space.pack().slice(0, -1)],
      ['bytes with more behind', Uint8Array.of(...space.pack(), 0)],
      ['another version', changed(4)],
      ['a byte changed within', changed(60)],
    ])('refuses %s', (_, bytes) => {
      expect(() => embedder.unpack(bytes)).toThrow();
    });
  });
}
