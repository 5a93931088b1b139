import { statSync } from 'node:fs';
import { SqliteArtifactStore } from '../../src/engines/sqlite/domains/sqlite-artifact-store.js';
import { SqliteClaimStore } from '../../src/engines/sqlite/domains/sqlite-claim-store.js';
import { SqliteManifestStore } from '../../src/engines/sqlite/domains/sqlite-manifest-store.js';
import { SqlitePointerStore } from '../../src/engines/sqlite/domains/sqlite-pointer-store.js';
import type { BoundedWorkPlace } from '../../src/engines/sqlite/domains/work-store.js';
import { aClaim, aPiece } from '../support/a-claim.js';
import { aNewArtifact, aNewPointer, OTHER_SPACES, sha256Of, SPACE } from '../support/a-substrate.js';
import { aScope } from '../support/builders.js';
import { testFolder } from '../support/test-folder.js';

const MAX_BYTES = 65_536;

const manifest = (name: string) => ({
  ...{ sha256: sha256Of(name), parent: null, message: '', entries: 0, createdBy: 'ann' },
});
const move = { namespace: 'default', name: 'handbook', by: 'ann', reason: 'x' };
const advance = { ...move, expectedSha256: sha256Of('first'), newSha256: sha256Of('first') };

/** Stores one more small thing of a kind. */
type StoreOne = (number: number, space?: typeof SPACE) => Promise<unknown>;

const KINDS: [string, (place: BoundedWorkPlace) => { close(): Promise<void>; storeOne: StoreOne }][] = [
  [
    'artifacts',
    (place) => {
      const store = new SqliteArtifactStore(place);
      const storeOne: StoreOne = (number, space = SPACE) =>
        store.save(aNewArtifact({ space }), [Buffer.from(String(number))]);
      return { close: () => store.close(), storeOne };
    },
  ],
  [
    'manifests',
    (place) => {
      const store = new SqliteManifestStore(place);
      const storeOne: StoreOne = (number, space = SPACE) => store.note(space, manifest(String(number)));
      return { close: () => store.close(), storeOne };
    },
  ],
  [
    'pointers',
    (place) => {
      const store = new SqlitePointerStore(place);
      const storeOne: StoreOne = (number, space = SPACE) =>
        store.create(space, aNewPointer({ name: `p${number}`, description: '' }));
      return { close: () => store.close(), storeOne };
    },
  ],
  [
    'claims',
    (place) => {
      const store = new SqliteClaimStore(place);
      const storeOne: StoreOne = (number, space = SPACE) =>
        store.create(aScope(space), aClaim({ id: `c${number} ${space.projectId}`, statement: 'x' }), []);
      return { close: () => store.close(), storeOne };
    },
  ],
  [
    'pieces of evidence',
    (place) => {
      const store = new SqliteClaimStore(place);
      const piece = (number: number) => aPiece({ id: `e${number}`, addedBy: `p${number % 10}` });
      const storeOne: StoreOne = (number, space = SPACE) =>
        number === 0
          ? store.create(aScope(space), aClaim({ id: space.projectId }), [piece(number)])
          : store.link(aScope(space), space.projectId, [piece(number)]);
      return { close: () => store.close(), storeOne };
    },
  ],
  [
    'moves of a pointer',
    (place) => {
      const store = new SqlitePointerStore(place);
      const storeOne: StoreOne = (number, space = SPACE) =>
        number === 0 ? store.create(space, aNewPointer()) : store.advance(space, advance);
      return { close: () => store.close(), storeOne };
    },
  ],
];

describe.each(KINDS)('small %s', (_, open) => {
  const folder = testFolder();
  const file = folder.file('index.work.sqlite');
  const { storeOne, close } = open({ file, creates: true, maxBytes: MAX_BYTES, now: () => 0 });
  afterAll(() => folder.remove());

  it('fill the space of one project, and no more of the disk than it may use', async () => {
    let stored = 0;
    const storeAll = async () => {
      for (; stored < 2_000; stored++) await storeOne(stored);
    };
    await expect(storeAll()).rejects.toMatchObject({
      ...{ code: 'BUDGET_EXCEEDED', reason: 'substrate_full' },
      hint: expect.stringContaining('PITH_SUBSTRATE_MAX_BYTES'),
    });
    expect(stored).toBeGreaterThan(50);
    await expect(storeOne(0, OTHER_SPACES[0])).resolves.toBeDefined();
    await close();
    expect(statSync(file).size).toBeLessThanOrEqual(MAX_BYTES);
  });
});
