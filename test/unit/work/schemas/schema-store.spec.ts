import { SchemaStore, type SchemaVersion } from '../../../../src/work/schemas/schema-store.js';
import { testFolder } from '../../../support/test-folder.js';

const DOCS = { projectId: 'docs', environment: '' };
const folder = testFolder();
const place = { file: folder.file('index.work.sqlite'), creates: true };
const store = new SchemaStore(place);

afterAll(async () => {
  await store.close();
  folder.remove();
});

const aVersion = (parts: Partial<SchemaVersion> = {}): SchemaVersion => ({
  ...{ name: 'ticket', version: 1, hash: 'a1', text: '{"type":"object"}', description: 'Ä 😀' },
  ...{ principal: 'ada', registeredAt: 1_700_000_000_000 },
  ...parts,
});

describe('SchemaStore', () => {
  it('keeps versions unchanged, for every process', async () => {
    expect(await store.add(DOCS, aVersion())).toBe(true);
    expect(await store.add(DOCS, aVersion({ version: 2, hash: 'b2' }))).toBe(true);
    const other = new SchemaStore(place);
    expect(await other.find(DOCS, 'ticket', 1)).toEqual(aVersion());
    expect(await other.find(DOCS, 'ticket', null)).toEqual(aVersion({ version: 2, hash: 'b2' }));
    await other.close();
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

  it('refuses a file of another program', async () => {
    const governance = new SchemaStore({ file: __filename, creates: true });
    await expect(governance.find(DOCS, 'ticket', null)).rejects.toMatchObject({
      reason: 'work_store_incompatible',
      hint: expect.stringContaining('PITH_WORK_FILE'),
    });
    await governance.close();
  });
});
