import { SchemaStore, type SchemaVersion } from '../../src/work/schemas/schema-store.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const DOCS = { projectId: 'docs', environment: '' };
const aVersion = (parts: Partial<SchemaVersion> = {}): SchemaVersion => ({
  ...{ name: 'ticket', version: 1, hash: 'a1', text: '{"type":"object"}', description: 'Ä 😀' },
  ...{ principal: 'ada', registeredAt: 1_700_000_000_000 },
  ...parts,
});

/** The behaviour of the store of schemas on every database. */
export const schemaStoreContract = (make: MakeWork): void =>
  describe('SchemaStore', () => {
    let subject: WorkSubject;
    let store: SchemaStore;
    beforeAll(async () => {
      subject = await make();
      store = new SchemaStore(subject.open());
    });
    afterAll(() => subject.remove());

    it('keeps versions unchanged, for every process', async () => {
      expect(await store.add(DOCS, aVersion())).toBe(true);
      expect(await store.add(DOCS, aVersion({ version: 2, hash: 'b2' }))).toBe(true);
      const other = new SchemaStore(subject.open());
      expect(await other.find(DOCS, 'ticket', 1)).toEqual(aVersion());
      expect(await other.find(DOCS, 'ticket', null)).toEqual(aVersion({ version: 2, hash: 'b2' }));
    });

    it('adds the next version only', async () => {
      for (const version of [1, 2, 4]) expect(await store.add(DOCS, aVersion({ version }))).toBe(false);
      expect(await store.find(DOCS, 'ticket', 4)).toBeNull();
    });

    it.each([
      ['another project', { projectId: 'other', environment: '' }],
      ['another environment', { projectId: 'docs', environment: 'test' }],
    ])('shows nothing of %s, whose versions begin with 1', async (_, elsewhere) => {
      expect(await store.find(elsewhere, 'ticket', null)).toBeNull();
      expect(await store.list(elsewhere, { offset: 0, limit: 10 })).toEqual([]);
      expect(await store.add(elsewhere, aVersion({ hash: 'c3' }))).toBe(true);
      expect(await store.find(DOCS, 'ticket', 1)).toEqual(aVersion());
    });

    it('lists the latest versions by name, page by page', async () => {
      for (const name of ['zebra', 'Ant', 'bee']) await store.add(DOCS, aVersion({ name }));
      const namesOf = async (offset: number, limit: number): Promise<string[]> =>
        (await store.list(DOCS, { offset, limit })).map(({ name, version }) => `${name} ${version}`);
      expect(await namesOf(0, 10)).toEqual(['Ant 1', 'bee 1', 'ticket 2', 'zebra 1']);
      expect(await namesOf(1, 2)).toEqual(['bee 1', 'ticket 2']);
    });
  });
