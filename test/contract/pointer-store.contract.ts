import { ManifestStore } from '../../src/work/substrate/manifests/manifest-store.js';
import { type Pointer, PointerStore } from '../../src/work/substrate/pointers/pointer-store.js';
import { aNewPointer, OTHER_SPACES, sha256Of, SPACE } from '../support/a-substrate.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const failingWith = (reason: string, details = {}) =>
  expect.objectContaining({ reason, details: expect.objectContaining(details) });
const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map(sha256Of) as [string, string, string];
const HANDBOOK = { namespace: 'default', name: 'handbook' };
const ALL = { namespace: null, type: null, offset: 0, limit: 50 };
const namesOf = (pointers: readonly Pointer[]) =>
  pointers.map(({ namespace, name }) => `${namespace}/${name}`);
const advance = (expectedSha256: string, newSha256: string, by = 'ann') => ({
  ...HANDBOOK,
  expectedSha256,
  newSha256,
  by,
  reason: `by ${by}`,
});

/** The behaviour of the stores of pointers and manifests on every database. */
export const pointerStoreContract = (make: MakeWork): void =>
  describe('PointerStore', () => {
    let subject: WorkSubject;
    let store: PointerStore;
    const work = () => ({ database: subject.open(), maxBytes: 1e9, now: () => 5_000 });
    beforeEach(async () => {
      subject = await make();
      store = new PointerStore(work());
    });
    afterEach(() => subject.remove());

    describe('pointers', () => {
      it('keeps a pointer with the first step of its history', async () => {
        const created = await store.create(SPACE, aNewPointer());
        expect(created).toEqual({
          ...HANDBOOK,
          type: 'corpus',
          description: 'The handbook',
          manifestSha256: FIRST,
          version: 1,
          createdAt: 5_000,
          movedAt: 5_000,
        });
        expect(await store.find(SPACE, HANDBOOK)).toEqual(created);
        expect(await store.moves(SPACE, HANDBOOK, { beforeVersion: null, limit: 9 })).toEqual([
          { version: 1, oldSha256: null, newSha256: FIRST, by: 'ann', reason: 'created', at: 5_000 },
        ]);
      });

      it('creates a name once, and says where it is', async () => {
        await store.create(SPACE, aNewPointer());
        const again = store.create(SPACE, aNewPointer({ manifestSha256: SECOND }));
        await expect(again).rejects.toEqual(
          failingWith('pointer_exists', { current_sha256: FIRST, version: 1 }),
        );
      });

      it('moves a pointer that is where the caller expects it, and keeps its history', async () => {
        await store.create(SPACE, aNewPointer());
        expect(await store.advance(SPACE, advance(FIRST, SECOND))).toMatchObject({
          manifestSha256: SECOND,
          version: 2,
        });
        await store.advance(SPACE, advance(SECOND, THIRD));
        const latest = await store.moves(SPACE, HANDBOOK, { beforeVersion: null, limit: 2 });
        expect(latest.map(({ version, oldSha256, newSha256 }) => [version, oldSha256, newSha256])).toEqual([
          [3, SECOND, THIRD],
          [2, FIRST, SECOND],
        ]);
        const earlier = await store.moves(SPACE, HANDBOOK, { beforeVersion: 2, limit: 2 });
        expect(earlier.map(({ version }) => version)).toEqual([1]);
      });

      it('refuses a move from elsewhere with the current manifest, and changes nothing', async () => {
        await store.create(SPACE, aNewPointer());
        const moving = store.advance(SPACE, advance(SECOND, THIRD));
        await expect(moving).rejects.toEqual(failingWith('conflict', { current_sha256: FIRST, version: 1 }));
        expect(await store.find(SPACE, HANDBOOK)).toMatchObject({ manifestSha256: FIRST, version: 1 });
      });

      it('lets one of two moves at a time win', async () => {
        await store.create(SPACE, aNewPointer());
        const other = new PointerStore(work());
        const [one, two] = await Promise.allSettled([
          store.advance(SPACE, advance(FIRST, SECOND)),
          other.advance(SPACE, advance(FIRST, THIRD)),
        ]);
        const outcomes = [one, two].map((each) => (each.status === 'fulfilled' ? 'won' : each.reason.reason));
        expect(outcomes.sort()).toEqual(['conflict', 'won']);
      });

      it('lists pointers by namespace and name, in pages, of one namespace or type', async () => {
        for (const [namespace, one, type] of [
          ['b', 'x', 'corpus'],
          ['a', 'y', 'bundle'],
          ['a', 'x', 'corpus'],
        ] as const)
          await store.create(SPACE, aNewPointer({ namespace, name: one, type }));
        expect(namesOf(await store.list(SPACE, ALL))).toEqual(['a/x', 'a/y', 'b/x']);
        expect(namesOf(await store.list(SPACE, { ...ALL, offset: 1, limit: 1 }))).toEqual(['a/y']);
        expect(namesOf(await store.list(SPACE, { ...ALL, namespace: 'a' }))).toEqual(['a/x', 'a/y']);
        expect(namesOf(await store.list(SPACE, { ...ALL, type: 'corpus' }))).toEqual(['a/x', 'b/x']);
      });

      it('shows nothing of another project or environment', async () => {
        await store.create(SPACE, aNewPointer());
        for (const space of OTHER_SPACES) {
          expect(await store.find(space, HANDBOOK)).toBeNull();
          expect(await store.list(space, ALL)).toEqual([]);
          expect(await store.moves(space, HANDBOOK, { beforeVersion: null, limit: 9 })).toEqual([]);
          await expect(store.advance(space, advance(FIRST, SECOND))).rejects.toEqual(
            failingWith('pointer_not_found'),
          );
          expect(await store.create(space, aNewPointer({ manifestSha256: THIRD }))).toMatchObject({
            version: 1,
          });
        }
      });
    });

    describe('manifests', () => {
      const note = (manifests: ManifestStore, sha256: string, parent: string | null, createdBy = 'ann') =>
        manifests.note(SPACE, {
          sha256,
          parent,
          message: `made ${sha256.slice(0, 4)}`,
          entries: 2,
          createdBy,
        });

      it('keeps the facts of the first time', async () => {
        const manifests = new ManifestStore(work());
        const first = await note(manifests, FIRST, null);
        expect(await note(manifests, FIRST, null, 'bob')).toEqual(first);
        expect(await manifests.find(SPACE, FIRST)).toEqual({ ...first, createdBy: 'ann', createdAt: 5_000 });
      });

      it('follows the chain of parents, in parts', async () => {
        const manifests = new ManifestStore(work());
        await note(manifests, FIRST, null);
        await note(manifests, SECOND, FIRST);
        await note(manifests, THIRD, SECOND);
        const chain = async (offset: number, limit: number) =>
          (await manifests.chain(SPACE, THIRD, { offset, limit })).map(({ sha256 }) => sha256);
        expect(await chain(0, 9)).toEqual([THIRD, SECOND, FIRST]);
        expect(await chain(0, 1)).toEqual([THIRD]);
        expect(await chain(1, 1)).toEqual([SECOND]);
        expect(await chain(3, 9)).toEqual([]);
      });

      it('shows nothing of another project or environment', async () => {
        const manifests = new ManifestStore(work());
        await note(manifests, FIRST, null);
        for (const space of OTHER_SPACES) {
          expect(await manifests.find(space, FIRST)).toBeNull();
          expect(await manifests.chain(space, FIRST, { offset: 0, limit: 9 })).toEqual([]);
        }
      });
    });
  });
