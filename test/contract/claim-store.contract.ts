import { MAX_DECISIONS, MAX_EVIDENCE } from '../../src/work/claims/claim.js';
import { ClaimStore } from '../../src/work/claims/claim-store.js';
import { aClaim, aClaimDecision, aPiece } from '../support/a-claim.js';
import { aScope } from '../support/builders.js';
import { LIMITED_GUIDE, NO_DOCUMENTS } from '../support/hidden-pages.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

/** The behaviour of the store of claims on every database. */
export const claimStoreContract = (make: MakeWork): void =>
  describe('ClaimStore', () => {
    let subject: WorkSubject;
    let at: number;
    const open = (index = NO_DOCUMENTS): ClaimStore =>
      new ClaimStore({ database: subject.open(), maxBytes: 1e9, now: () => at }, index);
    beforeEach(async () => {
      at = 1;
      subject = await make();
    });
    afterEach(() => subject.remove());
    const HERE = aScope();

    it('returns what it stored, also to another process', async () => {
      const created = await open().create(HERE, aClaim(), [aPiece()]);
      expect(created).toEqual({
        ...aClaim(),
        createdAt: 1,
        state: 'open',
        position: 1,
        evidence: [aPiece()],
        decisions: [],
      });
      expect(await open().get(HERE, 'c1')).toEqual(created);
    });

    it('hides a claim from others when a document of its evidence has got groups', async () => {
      await open().create(HERE, aClaim(), [aPiece()]);
      await open().create(HERE, aClaim({ id: 'c2' }), [aPiece({ sectionId: 'b.md', path: 'b.md' })]);
      const store = open(LIMITED_GUIDE);
      const seenWith = async (groups: string[]) => {
        const scope = { ...HERE, groups };
        const listed = await store.list(scope, { limit: 1 });
        return [
          (await store.get(scope, 'c1')) !== null,
          (await store.list(scope, { limit: 9 })).length,
          listed[0]?.id,
        ];
      };
      expect([await seenWith([]), await seenWith(['hr'])]).toEqual([
        [false, 1, 'c2'],
        [true, 2, 'c2'],
      ]);
    });

    it('keeps the data of a claim, and the version of its schema', async () => {
      const data = { schema: { name: 'fact', version: 2 }, json: '{"a":"Ä 😀"}' };
      const created = await open().create(HERE, aClaim({ data }), []);
      expect(created).toMatchObject({ data });
      await open().create(HERE, aClaim({ id: 'c2' }), []);
      const [second, first] = await open().list(HERE, { limit: 2 });
      expect([second?.data, first?.data]).toEqual([null, data]);
    });

    it.each([{ projectId: 'other' }, { environment: 'other' }])(
      'knows no claim of another place: %j',
      async (place) => {
        const store = open();
        const there = aScope(place);
        await store.create(there, aClaim(), [aPiece()]);
        expect(await store.get(HERE, 'c1')).toBeNull();
        expect(await store.link(HERE, 'c1', [aPiece({ id: 'e2' })])).toBeNull();
        expect(await store.decide(HERE, 'c1', aClaimDecision())).toBeNull();
        expect(await store.list(HERE, { limit: 9 })).toEqual([]);
        expect(await store.create(HERE, aClaim({ id: 'c2' }), [])).toMatchObject({ position: 1 });
        expect(await store.get(there, 'c1')).toMatchObject({ state: 'open', evidence: [{ id: 'e1' }] });
      },
    );

    it('shows a claim only where all of its evidence is visible', async () => {
      const store = open();
      const pieces = [
        aPiece({ id: 'e1' }),
        aPiece({ id: 'e2', docTag: 'hr' }),
        aPiece({ id: 'e3', repository: 'other' }),
      ];
      await store.create(HERE, aClaim(), pieces);
      const seen = async (scope: object): Promise<unknown> => {
        const reader = aScope(scope);
        const listed = await store.list(reader, { limit: 9 });
        expect(listed).toEqual([await store.get(reader, 'c1')].filter((claim) => claim !== null));
        return listed.map(({ evidence }) => evidence.length);
      };
      expect(await seen({ docTags: null, repositories: null })).toEqual([3]);
      expect(await seen({ docTags: ['hr', 'guides', 'x'], repositories: ['other', 'repo'] })).toEqual([3]);
      expect(await seen({ docTags: ['guides'], repositories: null })).toEqual([]);
      expect(await seen({ docTags: null, repositories: ['repo'] })).toEqual([]);
      expect(await seen({ docTags: ['guides', "x' OR '1"], repositories: ['repo'] })).toEqual([]);
      expect(await seen({ docTags: [] })).toEqual([]);
      expect(await store.link(aScope({ docTags: ['guides'] }), 'c1', [aPiece({ id: 'e4' })])).toBeNull();
      expect(await store.decide(aScope({ docTags: ['guides'] }), 'c1', aClaimDecision())).toBeNull();
    });

    it('shows a claim without evidence where everything of its maker is visible', async () => {
      const store = open();
      await store.create(aScope({ docTags: ['guides', 'hr'] }), aClaim(), []);
      await store.create(aScope({ docTags: null, repositories: null }), aClaim({ id: 'c2' }), []);
      const seen = async (scope: object): Promise<string[]> =>
        (await store.list(aScope(scope), { limit: 9 })).map(({ id }) => id);
      expect(await seen({ docTags: null, repositories: null })).toEqual(['c2', 'c1']);
      expect(await seen({ docTags: ['hr', 'guides'] })).toEqual(['c1']);
      expect(await seen({ docTags: ['guides'] })).toEqual([]);
      await store.link(aScope({ docTags: ['hr', 'guides'] }), 'c1', [aPiece()]);
      expect(await seen({ docTags: ['guides'] })).toEqual(['c1']);
    });

    it('shows a claim only to those who have the groups of its evidence and of its maker', async () => {
      const store = open();
      const allow = [['eng']];
      await store.create(aScope({ groups: ['hr'] }), aClaim(), [aPiece()]);
      await store.create(aScope({ groups: ['hr'] }), aClaim({ id: 'c2' }), [aPiece({ allow })]);
      await store.create(aScope({ groups: [] }), aClaim({ id: 'c3' }), [aPiece()]);
      const seen = async (groups: readonly string[] | null): Promise<string[]> =>
        (await store.list(aScope({ groups }), { limit: 9 })).map(({ id }) => id);
      expect(await seen(null)).toEqual(['c3', 'c2', 'c1']);
      expect(await seen(['eng', 'hr'])).toEqual(['c3', 'c2', 'c1']);
      expect(await seen(['hr'])).toEqual(['c3', 'c1']);
      expect(await seen(['eng'])).toEqual(['c3']);
      expect(await store.get(aScope(), 'c1')).toBeNull();
    });

    it('stores a piece once, as it was added first', async () => {
      const store = open();
      await store.create(HERE, aClaim(), [aPiece()]);
      const linked = await store.link(HERE, 'c1', [aPiece({ addedBy: 'bob' })]);
      expect(linked?.evidence).toEqual([aPiece()]);
    });

    it('keeps evidence in the order in which it was added, whatever the clock says', async () => {
      const store = open();
      at = 2;
      await store.create(HERE, aClaim(), [aPiece({ id: 'b' }), aPiece({ id: 'c' })]);
      at = 1;
      const linked = await store.link(HERE, 'c1', [aPiece({ id: 'a' })]);
      expect(linked?.evidence.map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    });

    it('dates what it stores when it is stored, not when another process let it wait', async () => {
      const store = open();
      await store.create(HERE, aClaim(), []);
      const unlock = await subject.lock();
      const waiting = [
        store.create(HERE, aClaim({ id: 'c2' }), [aPiece({ id: 'e2' })]),
        store.link(HERE, 'c1', [aPiece()]),
        store.decide(HERE, 'c1', aClaimDecision()),
      ];
      at = 7;
      await unlock();
      await Promise.all(waiting);
      expect(await store.get(HERE, 'c2')).toMatchObject({ createdAt: 7, evidence: [{ addedAt: 7 }] });
      const first = await store.get(HERE, 'c1');
      expect(first).toMatchObject({ createdAt: 1, evidence: [{ addedAt: 7 }], decisions: [{ at: 7 }] });
    });

    it('loses no piece of calls that run at once', async () => {
      const [one, two] = [open(), open()];
      await one.create(HERE, aClaim(), []);
      const ids = Array.from({ length: 20 }, (_, i) => `e${i}`);
      await Promise.all(ids.map((id, i) => (i % 2 ? one : two).link(HERE, 'c1', [aPiece({ id })])));
      const stored = (await one.get(HERE, 'c1'))?.evidence.map(({ id }) => id);
      expect(stored?.sort()).toEqual([...ids].sort());
    });

    it('limits the pieces of a principal, and stores none of a call that exceeds it', async () => {
      const store = open();
      const many = Array.from({ length: MAX_EVIDENCE }, (_, i) => aPiece({ id: `e${i}` }));
      await store.create(HERE, aClaim(), many);
      await expect(store.link(HERE, 'c1', [aPiece({ id: 'more' })])).rejects.toMatchObject({
        reason: 'evidence_full',
      });
      const linked = await store.link(HERE, 'c1', [aPiece({ id: 'of bob', addedBy: 'bob' })]);
      expect(linked?.evidence).toHaveLength(MAX_EVIDENCE + 1);
    });

    it('keeps every decision; the last one is the state', async () => {
      const store = open();
      await store.create(HERE, aClaim(), []);
      const first = aClaimDecision();
      const second = aClaimDecision({ verdict: 'rejected', decidedBy: ['otto'], at: 6 });
      at = 5;
      await store.decide(HERE, 'c1', first);
      at = 6;
      expect(await store.decide(HERE, 'c1', second)).toMatchObject({
        state: 'rejected',
        decisions: [first, second],
      });
    });

    it('limits the decisions about a claim', async () => {
      const store = open();
      await store.create(HERE, aClaim(), []);
      for (let i = 0; i < MAX_DECISIONS; i++) await store.decide(HERE, 'c1', aClaimDecision());
      await expect(store.decide(HERE, 'c1', aClaimDecision())).rejects.toMatchObject({
        reason: 'decisions_full',
      });
    });

    it('lists the latest first, page by page, by state', async () => {
      const store = open();
      for (const id of ['c1', 'c2', 'c3']) await store.create(HERE, aClaim({ id }), []);
      await store.decide(HERE, 'c2', aClaimDecision());
      const list = async (query: object): Promise<string[]> =>
        (await store.list(HERE, { limit: 9, ...query })).map(({ id }) => id);
      expect(await list({})).toEqual(['c3', 'c2', 'c1']);
      expect(await list({ limit: 1, before: 3 })).toEqual(['c2']);
      expect(await list({ state: 'open' })).toEqual(['c3', 'c1']);
      expect(await list({ state: 'accepted' })).toEqual(['c2']);
    });
  });
