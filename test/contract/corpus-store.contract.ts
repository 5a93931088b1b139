import { CorpusStore, MAX_CORPORA, type NamedCorpus } from '../../src/work/corpora/corpus-store.js';
import { OTHER_SPACES, SPACE } from '../support/a-substrate.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const aCorpus = (overrides: Partial<NamedCorpus> = {}): NamedCorpus => ({
  name: 'birds',
  id: `id-of-${overrides.name ?? 'birds'}`,
  description: 'The birds',
  source: '/srv/birds',
  documents: 3,
  sections: 7,
  createdBy: 'ann',
  createdAt: 5,
  ...overrides,
});

/** The behaviour of the store of named corpora on every database. */
export const corpusStoreContract = (make: MakeWork): void =>
  describe('CorpusStore', () => {
    let subject: WorkSubject;
    let store: CorpusStore;
    beforeEach(async () => {
      subject = await make();
      store = new CorpusStore(subject.open());
    });
    afterEach(() => subject.remove());

    it('are found by name, in their own project and environment only', async () => {
      const corpus = aCorpus();
      await store.put(SPACE, corpus, null);
      expect(await store.find(SPACE, 'birds')).toEqual(corpus);
      expect(await store.find(SPACE, 'fish')).toBeNull();
      for (const space of OTHER_SPACES) {
        expect(await store.find(space, 'birds')).toBeNull();
        expect(await store.list(space, { offset: 0, limit: 9 })).toEqual([]);
        await store.put(space, aCorpus({ id: `of ${space.projectId} ${space.environment}` }), null);
      }
      expect(await store.find(SPACE, 'birds')).toEqual(corpus);
    });

    it('are listed by name, in pages', async () => {
      for (const each of ['c', 'a', 'b']) await store.put(SPACE, aCorpus({ name: each }), null);
      const names = async (offset: number) =>
        (await store.list(SPACE, { offset, limit: 2 })).map((corpus) => corpus.name);
      expect([await names(0), await names(2)]).toEqual([['a', 'b'], ['c']]);
    });

    it('are replaced only by a caller who knows the index that the name has now', async () => {
      await store.put(SPACE, aCorpus({ id: 'first' }), null);
      const again = store.put(SPACE, aCorpus({ id: 'second' }), null);
      await expect(again).rejects.toMatchObject({ reason: 'corpus_exists' });
      await store.put(SPACE, aCorpus({ id: 'second' }), 'first');
      const late = store.put(SPACE, aCorpus({ id: 'third' }), 'first');
      await expect(late).rejects.toMatchObject({ reason: 'corpus_exists' });
      expect(await store.find(SPACE, 'birds')).toMatchObject({ id: 'second' });
      expect([await store.isNamed('first'), await store.isNamed('second')]).toEqual([false, true]);
    });

    it('are limited for each project and environment; replacing is always possible', async () => {
      for (let i = 0; i < MAX_CORPORA; i++) await store.put(SPACE, aCorpus({ name: `n${i}` }), null);
      const one = store.put(SPACE, aCorpus({ name: 'more' }), null);
      await expect(one).rejects.toMatchObject({ reason: 'corpora_full' });
      await store.put(SPACE, aCorpus({ name: 'n0', id: 'new' }), 'id-of-n0');
      for (const space of OTHER_SPACES) await store.put(space, aCorpus({ id: space.environment }), null);
    });
  });
