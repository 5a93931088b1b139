import type { TextModel } from '../../src/core/ports/text-model.port.js';

/** A model that is there, and how many components its vectors have. */
export interface TextModelSubject {
  readonly model: TextModel;
  readonly dimensions: number;
  readonly close: () => Promise<void>;
}

const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);
const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);

/** What every model promises. */
export function describeTextModel(name: string, open: () => Promise<TextModelSubject>): void {
  describe(`a text model: ${name}`, () => {
    let subject: TextModelSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    it('gives a vector of length 1 for each text, in their order', async () => {
      const texts = ['a bird sings in the tree', 'the engine needs oil', 'ships lie in the harbour'];
      const together = await subject.model.embed(texts, 'section');
      const [, second] = together;
      const [alone] = await subject.model.embed(['the engine needs oil'], 'section');
      expect(together.map((vector) => lengthOf(vector).toFixed(4))).toEqual(['1.0000', '1.0000', '1.0000']);
      expect(cosine(second ?? new Float32Array(), alone ?? new Float32Array())).toBeCloseTo(1, 4);
    });

    it('gives vectors of as many components as its profile says once it has answered', async () => {
      const [vector] = await subject.model.embed(['a bird sings'], 'question');
      expect(vector).toHaveLength(subject.dimensions);
      expect(subject.model.profile).toMatchObject({ dimensions: subject.dimensions, recalls: true });
    });

    it('puts texts that say the same closer together than texts that do not', async () => {
      const [bird, sparrow, engine] = await subject.model.embed(
        ['a small bird sings in the tree', 'a small bird sings in a tree at night', 'the engine needs oil'],
        'section',
      );
      const none = new Float32Array();
      expect(cosine(bird ?? none, sparrow ?? none)).toBeGreaterThan(cosine(bird ?? none, engine ?? none));
    });

    it('takes more texts than a request holds, empty ones and very long ones', async () => {
      const texts = [
        ...Array.from({ length: 40 }, (_, i) => `text ${i}`),
        '',
        'long '.repeat(20_000),
        '\ud83d\ude00',
      ];
      const vectors = await subject.model.embed(texts, 'section');
      expect(vectors).toHaveLength(43);
    });

    it('gives nothing for nothing', async () => {
      expect(await subject.model.embed([], 'section')).toEqual([]);
    });
  });
}
