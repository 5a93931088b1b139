import type { TextModel } from '../../src/core/ports/text-model.port.js';

/** A model under test, and the number of components of its vectors. */
export interface TextModelSubject {
  readonly model: TextModel;
  readonly dimensions: number;
  readonly close: () => Promise<void>;
}

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);

/** The behaviour of every model. */
export function describeTextModel(name: string, open: () => Promise<TextModelSubject>): void {
  describe(`a text model: ${name}`, () => {
    let subject: TextModelSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    it('returns a vector of length 1 for each text, in the given order', async () => {
      const texts = ['a bird sings in the tree', 'the engine needs oil', 'ships lie in the harbour'];
      const together = await subject.model.embed(texts, 'section');
      const [, second] = together;
      const [alone] = await subject.model.embed(['the engine needs oil'], 'section');
      expect(together.map((vector) => lengthOf(vector).toFixed(4))).toEqual(['1.0000', '1.0000', '1.0000']);
      expect(cosine(second ?? new Float32Array(), alone ?? new Float32Array())).toBeCloseTo(1, 4);
    });

    it('returns vectors with the number of components in its profile, after the first answer', async () => {
      const [vector] = await subject.model.embed(['a bird sings'], 'question');
      expect(vector).toHaveLength(subject.dimensions);
      expect(subject.model.profile).toMatchObject({ dimensions: subject.dimensions, recalls: true });
    });

    it('puts texts with the same meaning closer together than others', async () => {
      const [bird, sparrow, engine] = await subject.model.embed(
        ['a small bird sings in the tree', 'a small bird sings in a tree at night', 'the engine needs oil'],
        'section',
      );
      const none = new Float32Array();
      expect(cosine(bird ?? none, sparrow ?? none)).toBeGreaterThan(cosine(bird ?? none, engine ?? none));
    });

    it('accepts more texts than a request holds, empty ones and very long ones', async () => {
      const texts = [
        ...Array.from({ length: 40 }, (_, i) => `text ${i}`),
        '',
        'long '.repeat(20_000),
        '\ud83d\ude00',
      ];
      const vectors = await subject.model.embed(texts, 'section');
      expect(vectors).toHaveLength(43);
    });

    it('returns nothing for no texts', async () => {
      expect(await subject.model.embed([], 'section')).toEqual([]);
    });
  });
}
