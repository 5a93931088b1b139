import type { Reranker } from '../../src/core/ports/reranker.port.js';

/** A reranker under test. */
export interface RerankerSubject {
  readonly reranker: Reranker;
  readonly close: () => Promise<void>;
}

/** The behaviour of every reranker. */
export function describeReranker(name: string, open: () => Promise<RerankerSubject>): void {
  describe(`a reranker: ${name}`, () => {
    let subject: RerankerSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    it('scores every text from 0 to 1, in the given order', async () => {
      const texts = ['the engine needs oil', 'a small bird sings in the tree', 'ships lie in the harbour'];
      const scores = await subject.reranker.score('where does the small bird sing', texts);
      const [engine = 0, bird = 0, ships = 0] = scores;
      expect(scores).toHaveLength(3);
      expect(Math.min(...scores)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...scores)).toBeLessThanOrEqual(1);
      expect(bird).toBeGreaterThan(Math.max(engine, ships));
    });

    it('gives a text the same score among any other texts', async () => {
      const bird = 'a small bird sings in the tree';
      const [alone = 0] = await subject.reranker.score('where does the bird sing', [bird]);
      const [, among = 0] = await subject.reranker.score('where does the bird sing', [
        'an engine '.repeat(50),
        bird,
      ]);
      expect(among).toBeCloseTo(alone, 3);
    });

    it('accepts a hundred texts, and returns nothing for no texts', async () => {
      const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
      expect(await subject.reranker.score('which text', texts)).toHaveLength(100);
      expect(await subject.reranker.score('which text', [])).toEqual([]);
    });
  });
}
