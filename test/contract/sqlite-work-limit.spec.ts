import { statSync } from 'node:fs';
import { ClaimStore } from '../../src/work/claims/claim-store.js';
import { ArtifactStore } from '../../src/work/substrate/artifacts/artifact-store.js';
import { ManifestStore } from '../../src/work/substrate/manifests/manifest-store.js';
import { PointerStore } from '../../src/work/substrate/pointers/pointer-store.js';
import type { BoundedWork } from '../../src/work/work-rows.js';
import { aClaim, aPiece } from '../support/a-claim.js';
import { aNewArtifact, aNewPointer, OTHER_SPACES, sha256Of, SPACE } from '../support/a-substrate.js';
import { aScope } from '../support/builders.js';
import { NO_DOCUMENTS } from '../support/hidden-pages.js';
import { testFolder } from '../support/test-folder.js';
import { boundedWork } from '../support/work-stores.js';

const MAX_BYTES = 65_536;

const manifest = (name: string) => ({
  ...{ sha256: sha256Of(name), parent: null, message: '', entries: 0, createdBy: 'ann' },
});
const move = { namespace: 'default', name: 'handbook', by: 'ann', reason: 'x' };
const advance = { ...move, expectedSha256: sha256Of('first'), newSha256: sha256Of('first') };

const storesIn = (place: BoundedWork) => ({
  artifacts: new ArtifactStore(place),
  manifests: new ManifestStore(place),
  pointers: new PointerStore(place),
  claims: new ClaimStore(place, NO_DOCUMENTS),
});

/** Stores one more small thing of a kind. */
type StoreOne = (
  stores: ReturnType<typeof storesIn>,
  number: number,
  space: typeof SPACE,
) => Promise<unknown>;

const KINDS: [string, StoreOne][] = [
  [
    'artifacts',
    ({ artifacts }, number, space) => artifacts.save(aNewArtifact({ space }), [Buffer.from(String(number))]),
  ],
  ['manifests', ({ manifests }, number, space) => manifests.note(space, manifest(String(number)))],
  [
    'pointers',
    ({ pointers }, number, space) =>
      pointers.create(space, aNewPointer({ name: `p${number}`, description: '' })),
  ],
  [
    'moves of a pointer',
    ({ pointers }, number, space) =>
      number === 0 ? pointers.create(space, aNewPointer()) : pointers.advance(space, advance),
  ],
  [
    'claims',
    ({ claims }, number, space) =>
      claims.create(aScope(space), aClaim({ id: `c${number} ${space.projectId}`, statement: 'x' }), []),
  ],
  [
    'pieces of evidence',
    ({ claims }, number, space) => {
      const piece = aPiece({ id: `e${number}`, addedBy: `p${number % 10}` });
      return number === 0
        ? claims.create(aScope(space), aClaim({ id: space.projectId }), [piece])
        : claims.link(aScope(space), space.projectId, [piece]);
    },
  ],
];

describe.each(KINDS)('small %s', (_, storeOne) => {
  const folder = testFolder();
  const file = folder.file('index.work.sqlite');
  const work = boundedWork(file, { maxBytes: MAX_BYTES });
  const stores = storesIn(work);
  const [other = SPACE] = OTHER_SPACES;
  afterAll(() => folder.remove());

  const fileSize = (): number => statSync(file).size;

  it('fill the space of one project, and no more of the disk than it may use', async () => {
    // Tables without rows, which every work file has.
    const empty = boundedWork(file).database;
    await empty.write(async () => undefined);
    await empty.close();
    const emptySize = fileSize();
    let stored = 0;
    const storeAll = async () => {
      for (; stored < 2_000; stored++) await storeOne(stores, stored, SPACE);
    };
    await expect(storeAll()).rejects.toMatchObject({
      ...{ code: 'BUDGET_EXCEEDED', reason: 'substrate_full' },
      hint: expect.stringContaining('PITH_SUBSTRATE_MAX_BYTES'),
    });
    expect(stored).toBeGreaterThan(50);
    await expect(storeOne(stores, 0, other)).resolves.toBeDefined();
    await work.database.close();
    expect(fileSize() - emptySize).toBeLessThanOrEqual(MAX_BYTES);
  });
});
