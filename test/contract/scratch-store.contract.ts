import type { KeptPassage, ScratchOwner, ScratchStore } from '../../src/core/ports/scratch-store.port.js';
import { aPassage } from '../support/builders.js';

export interface ScratchSubject {
  readonly store: ScratchStore;
  /** Makes an owner in the subject's project and environment, which no other subject uses. */
  readonly owner: (sessionId?: string, overrides?: Partial<ScratchOwner>) => ScratchOwner;
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ScratchLimits {
  readonly ttlMs: number;
  readonly maxBytes: number;
}

const ROOMY: ScratchLimits = { ttlMs: 60_000, maxBytes: 100_000_000 };
const SHORT = 600;
const big = aPassage({ text: 'x'.repeat(10_000) });
const kept = (id: string, passage = big): KeptPassage[] => [{ id, passage }];

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  'a\nb\r\n$5\r\nhello\r\n*1\r\n$8\r\nFLUSHALL\r\n',
  '{other}:p:{tag}',
  '../../etc/passwd',
  "'); DROP TABLE passage; --",
  '\ud800 a lone surrogate',
  '\u202e right to left',
  '😀 漢字 é e\u0301',
  '__proto__',
  '"}],"x":[{"',
  'x'.repeat(5_000),
] as const;

/** The behaviour of every scratch store. */
export function scratchStoreContract(
  name: string,
  make: (limits: ScratchLimits) => Promise<ScratchSubject>,
): void {
  const open: ScratchSubject[] = [];
  const aStore = async (limits: Partial<ScratchLimits> = {}): Promise<ScratchSubject> => {
    const subject = await make({ ...ROOMY, ...limits });
    open.push(subject);
    return subject;
  };
  afterEach(async () => {
    for (const subject of open.splice(0)) await subject.close();
  });

  const idsOf = async ({ store, owner }: ScratchSubject, limit = 50, sessionId = 's'): Promise<string[]> =>
    (await store.list(owner(sessionId), limit)).map(({ id }) => id);
  const fill = async (subject: ScratchSubject, ids: readonly string[]): Promise<ScratchSubject> => {
    for (const id of ids) await subject.store.put(subject.owner('s'), kept(id));
    return subject;
  };
  /** Enough space for four big passages, but not for five. */
  const aStoreOfFour = async (): Promise<ScratchSubject> => aStore({ maxBytes: (await sizeOfBig()) * 4.5 });
  const sizeOfBig = async (): Promise<number> => {
    const { store } = await fill(await aStore(), ['a']);
    return store.counters().bytes;
  };

  describe(`${name}: owners of passages`, () => {
    it('returns passages as they were put', async () => {
      const { store, owner } = await aStore();
      const passage = aPassage({
        url: 'https://example.org/',
        window: { start: 1, end: 3 },
        headingPath: [],
      });
      await store.put(owner(), kept('a', passage));
      expect(await store.get(owner(), 'a')).toEqual(passage);
    });

    it('does not return passages of other sessions, projects and environments', async () => {
      const { store, owner } = await aStore();
      await store.put(owner('s'), kept('a'));
      const others = [
        owner('t'),
        owner('s', { projectId: 'another' }),
        owner('s', { environment: 'another' }),
      ];
      for (const other of others) {
        expect(await store.get(other, 'a')).toBeNull();
        expect(await store.list(other, 50)).toEqual([]);
      }
      expect(await store.get(owner('s'), 'b')).toBeNull();
    });

    it('keeps passages with the same id in two sessions apart', async () => {
      const { store, owner } = await aStore();
      await store.put(owner('s'), kept('a', aPassage({ text: 'One.' })));
      await store.put(owner('t'), kept('a', aPassage({ text: 'Two.' })));
      expect((await store.get(owner('s'), 'a'))?.text).toBe('One.');
      expect((await store.list(owner('t'), 5)).map(({ passage }) => passage.text)).toEqual(['Two.']);
    });

    it.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 40), text]))(
      'treats %s as text in every field',
      async (_, text) => {
        const { store, owner } = await aStore();
        const mine = owner(text, { environment: text });
        const passage = aPassage({
          text,
          title: text,
          headingPath: [text, text],
          sectionId: text,
          docTag: text,
        });
        await store.put(mine, kept(text, passage));
        await store.put(owner('s', { environment: text }), kept('b'));
        expect(await store.get(mine, text)).toEqual(passage);
        expect(await store.list(mine, 5)).toEqual([{ id: text, passage, expiresInS: 60 }]);
      },
    );

    it('distinguishes names whose concatenation is equal', async () => {
      const { store, owner } = await aStore();
      await store.put(owner('a', { environment: 'b' }), kept('c'));
      await store.put(owner('a","b'), kept('c'));
      const alike: [ScratchOwner, string][] = [
        [owner('a:b', { environment: '' }), 'c'],
        [owner('', { environment: 'ab' }), 'c'],
        [owner('a', { environment: 'b' }), '\nc'],
        [owner('a'), 'b","c'],
        [owner('a\nb', { environment: 'b' }), 'c'],
      ];
      for (const [other, id] of alike) expect(await store.get(other, id)).toBeNull();
    });
  });

  describe(`${name}: time`, () => {
    it('removes a passage when its time is over', async () => {
      const subject = await fill(await aStore({ ttlMs: SHORT }), ['a']);
      await subject.pass(SHORT + 100);
      expect(await subject.store.get(subject.owner('s'), 'a')).toBeNull();
      expect(await idsOf(subject)).toEqual([]);
    });

    it('renews a passage that is read or put again, but not one that is listed', async () => {
      const subject = await fill(await aStore({ ttlMs: SHORT }), ['read', 'put', 'listed']);
      await subject.pass(SHORT * 0.6);
      await subject.store.get(subject.owner('s'), 'read');
      await fill(subject, ['put']);
      await idsOf(subject);
      await subject.pass(SHORT * 0.6);
      expect(await idsOf(subject)).toEqual(['put', 'read']);
    });

    it('keeps the creation time of a passage that is put again', async () => {
      const { store, owner } = await aStore();
      await store.put(owner(), kept('a', aPassage({ createdAt: '2026-01-01T00:00:00.000Z' })));
      await store.put(owner(), kept('a', aPassage({ createdAt: '2026-02-02T00:00:00.000Z', text: 'New.' })));
      const expected = { createdAt: '2026-01-01T00:00:00.000Z', text: 'New.' };
      expect(await store.get(owner(), 'a')).toMatchObject(expected);
      expect(await store.list(owner(), 5)).toMatchObject([{ passage: expected }]);
    });

    it('treats an expired passage that is put again as new', async () => {
      const { store, owner, pass } = await aStore({ ttlMs: SHORT });
      await store.put(owner(), kept('a', aPassage({ createdAt: '2026-01-01T00:00:00.000Z' })));
      await pass(SHORT + 100);
      await store.put(owner(), kept('a', aPassage({ createdAt: '2026-02-02T00:00:00.000Z' })));
      expect(await store.get(owner(), 'a')).toMatchObject({ createdAt: '2026-02-02T00:00:00.000Z' });
    });

    it('counts the passages it stores, but not the removed ones', async () => {
      const subject = await fill(await aStore({ ttlMs: SHORT }), ['a', 'a', 'b']);
      const { bytes, passages } = subject.store.counters();
      expect(passages).toBe(2);
      expect(bytes).toBeGreaterThanOrEqual(20_000);
      await subject.pass(SHORT + 100);
      await idsOf(subject);
      expect(subject.store.counters()).toMatchObject({ passages: 0, bytes: 0, evictions: 0 });
    });
  });

  describe(`${name}: order and limits`, () => {
    it('lists a session, most recently used first, up to the limit', async () => {
      const subject = await fill(await aStore(), ['a', 'b', 'c']);
      await subject.store.get(subject.owner('s'), 'a');
      await subject.store.put(subject.owner('t'), kept('elsewhere'));
      expect(await idsOf(subject)).toEqual(['a', 'c', 'b']);
      expect(await idsOf(subject, 2)).toEqual(['a', 'c']);
    });

    it('treats the last of several passages put in one call as the most recent', async () => {
      const subject = await aStore();
      await subject.store.put(subject.owner('s'), [...kept('a'), ...kept('b'), ...kept('c')]);
      expect(await idsOf(subject)).toEqual(['c', 'b', 'a']);
    });

    it('passes its health check', async () => {
      const { store } = await aStore();
      await expect(store.check()).resolves.toBeUndefined();
    });

    it('accepts an empty list', async () => {
      const subject = await aStore();
      await subject.store.put(subject.owner('s'), []);
      expect(await idsOf(subject)).toEqual([]);
    });

    it('evicts the least recently used passage of any owner when the limit is exceeded', async () => {
      const subject = await fill(await aStoreOfFour(), ['a', 'b']);
      await subject.store.put(subject.owner('t'), kept('theirs'));
      await fill(subject, ['d']);
      await subject.store.get(subject.owner('s'), 'a');
      await fill(subject, ['e', 'f']);
      expect(await idsOf(subject)).toEqual(['f', 'e', 'a', 'd']);
      expect(await idsOf(subject, 5, 't')).toEqual([]);
      expect(subject.store.counters()).toMatchObject({ passages: 4, evictions: 2, expirations: 0 });
    });

    it('does not store a passage that is larger than the limit', async () => {
      const subject = await aStoreOfFour();
      const huge = aPassage({ text: 'x'.repeat(200_000) });
      await subject.store.put(subject.owner('s'), kept('huge', huge));
      expect(await subject.store.get(subject.owner('s'), 'huge')).toBeNull();
      expect(await idsOf(await fill(subject, ['a']))).toEqual(['a']);
    });

    it('keeps its counters and its limit during concurrent reads and writes', async () => {
      const subject = await aStoreOfFour();
      const { store, owner } = subject;
      const size = await sizeOfBig();
      const sessions = ['p', 'q', 'r'];
      const ids = Array.from({ length: 12 }, (_, i) => String(i % 7));
      await Promise.all(
        sessions.flatMap((session) =>
          ids.flatMap((id) => [store.put(owner(session), kept(id)), store.get(owner(session), id)]),
        ),
      );
      const listed = await Promise.all(sessions.map((session) => idsOf(subject, 50, session)));
      const { passages, bytes } = store.counters();
      expect([passages, listed.flat().length, bytes]).toEqual([4, 4, 4 * size]);
    });

    it('stores ten thousand passages', async () => {
      const subject = await aStore();
      const { store, owner } = subject;
      const small = aPassage({ text: 'Short.' });
      for (let i = 0; i < 10_000; i += 50) {
        const some = Array.from({ length: 50 }, (_, j) => ({ id: String(i + j), passage: small }));
        await store.put(owner('s'), some);
      }
      expect(store.counters()).toMatchObject({ passages: 10_000, evictions: 0 });
      expect(await idsOf(subject, 3)).toEqual(['9999', '9998', '9997']);
      expect(await store.get(owner('s'), '0')).toEqual(small);
      expect(await idsOf(subject, 20_000)).toHaveLength(10_000);
    });
  });
}
