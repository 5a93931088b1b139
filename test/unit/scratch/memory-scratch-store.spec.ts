import fc from 'fast-check';
import type { ScratchCounters } from '../../../src/core/ports/scratch-store.port.js';
import { type MemoryScratchOptions, MemoryScratchStore } from '../../../src/scratch/memory-scratch-store.js';
import { anOwner, aPassage } from '../../support/builders.js';

/** A clock that tests move. */
const aClock = () => ({ at: 0 });
const aStore = (clock = aClock(), options: Partial<MemoryScratchOptions> = {}) =>
  new MemoryScratchStore({
    ttlMs: 1_000,
    maxBytes: 100_000,
    now: () => clock.at,
    onPressure: () => undefined,
    ...options,
  });
const idsOf = async (store: MemoryScratchStore, sessionId = 's', limit = 50) =>
  (await store.list(anOwner(sessionId), limit)).map(({ id }) => id);
/** About 20 kB each: four fit, five do not. */
const big = aPassage({ text: 'x'.repeat(10_000) });

async function filled(store: MemoryScratchStore, ids: readonly string[]): Promise<MemoryScratchStore> {
  for (const id of ids) await store.put(anOwner('s'), [{ id: id, passage: big }]);
  return store;
}

describe('MemoryScratchStore', () => {
  it('returns a stored passage', async () => {
    const store = aStore();
    await store.put(anOwner('s'), [{ id: 'a', passage: aPassage() }]);
    expect(await store.get(anOwner('s'), 'a')).toEqual(aPassage());
  });

  it('returns no passages of other sessions', async () => {
    const store = aStore();
    await store.put(anOwner('s'), [{ id: 'a', passage: aPassage() }]);
    expect(await store.get(anOwner('other'), 'a')).toBeNull();
    expect(await store.list(anOwner('other'), 50)).toEqual([]);
  });

  it('keeps two passages with the same id in different sessions apart', async () => {
    const store = aStore();
    await store.put(anOwner('s'), [{ id: 'a', passage: aPassage({ text: 'One.' }) }]);
    await store.put(anOwner('t'), [{ id: 'a', passage: aPassage({ text: 'Two.' }) }]);
    expect([await store.get(anOwner('s'), 'a'), await store.get(anOwner('t'), 'a')]).toMatchObject([
      { text: 'One.' },
      { text: 'Two.' },
    ]);
  });

  it.each([
    [999, true],
    [1_000, false],
  ])('still has a passage with a lifetime of 1,000 ms after %i ms: %s', async (at, isThere) => {
    const clock = aClock();
    const store = await filled(aStore(clock), ['a']);
    clock.at = at;
    expect((await store.get(anOwner('s'), 'a')) !== null).toBe(isThere);
  });

  it('renews a passage when it is read', async () => {
    const clock = aClock();
    const store = await filled(aStore(clock), ['a']);
    clock.at = 900;
    await store.get(anOwner('s'), 'a');
    clock.at = 1_800;
    expect(await store.get(anOwner('s'), 'a')).not.toBeNull();
  });

  it('keeps the creation time of a passage that is stored again', async () => {
    const store = aStore();
    await store.put(anOwner('s'), [
      { id: 'a', passage: aPassage({ createdAt: '2026-01-01T00:00:00.000Z' }) },
    ]);
    await store.put(anOwner('s'), [
      { id: 'a', passage: aPassage({ createdAt: '2026-02-02T00:00:00.000Z', text: 'New.' }) },
    ]);
    expect(await store.get(anOwner('s'), 'a')).toMatchObject({
      createdAt: '2026-01-01T00:00:00.000Z',
      text: 'New.',
    });
  });

  it('treats an expired passage that is stored again as new', async () => {
    const clock = aClock();
    const store = await filled(aStore(clock), ['a']);
    clock.at = 5_000;
    await store.put(anOwner('s'), [
      { id: 'a', passage: aPassage({ createdAt: '2026-02-02T00:00:00.000Z' }) },
    ]);
    expect(await store.get(anOwner('s'), 'a')).toMatchObject({ createdAt: '2026-02-02T00:00:00.000Z' });
  });

  it('lists the passages of a session up to the limit, most recently used first', async () => {
    const store = await filled(aStore(), ['a', 'b', 'c']);
    await store.get(anOwner('s'), 'a');
    expect(await idsOf(store)).toEqual(['a', 'c', 'b']);
    expect(await idsOf(store, 's', 2)).toEqual(['a', 'c']);
  });

  it('lists the remaining lifetime, and no expired passage', async () => {
    const clock = aClock();
    const store = await filled(aStore(clock, { ttlMs: 10_000 }), ['a']);
    clock.at = 3_500;
    expect(await store.list(anOwner('s'), 50)).toMatchObject([{ id: 'a', expiresInS: 7 }]);
    clock.at = 10_000;
    expect(await store.list(anOwner('s'), 50)).toEqual([]);
  });

  it('evicts the least recently used passage over the byte limit', async () => {
    const store = await filled(aStore(), ['a', 'b', 'c', 'd']);
    await store.get(anOwner('s'), 'a');
    await store.put(anOwner('s'), [{ id: 'e', passage: big }]);
    expect(await idsOf(store)).toEqual(['e', 'a', 'd', 'c']);
    expect(store.counters()).toMatchObject({ passages: 4, evictions: 1, expirations: 0 });
  });

  it('removes expired passages before others', async () => {
    const clock = aClock();
    const store = await filled(aStore(clock), ['a', 'b', 'c']);
    clock.at = 2_000;
    await filled(store, ['d', 'e']);
    expect(await idsOf(store)).toEqual(['e', 'd']);
    expect(store.counters()).toMatchObject({ evictions: 0, expirations: 3 });
  });

  it('counts stored passages and bytes, without those removed', async () => {
    const clock = aClock();
    const store = await filled(aStore(clock), ['a', 'a', 'b']);
    const { bytes } = store.counters();
    expect(bytes).toBeGreaterThanOrEqual(40_000);
    clock.at = 2_000;
    await idsOf(store);
    expect(store.counters()).toEqual({ passages: 0, bytes: 0, evictions: 0, expirations: 2 });
  });

  it('warns once, when evictions become frequent', async () => {
    const warnings: ScratchCounters[] = [];
    const store = aStore(aClock(), { onPressure: (counters) => warnings.push(counters) });
    await filled(store, 'abcdefgh'.split(''));
    expect(warnings).toEqual([]);
    await filled(store, 'ijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.split(''));
    expect(warnings).toEqual([
      { passages: 4, bytes: expect.any(Number), evictions: expect.any(Number), expirations: 0 },
    ]);
  });

  it('never exceeds its byte limit, for any order of writes and reads', async () => {
    const step = fc.record({
      id: fc.constantFrom(...'abcdef'),
      length: fc.nat(60_000),
      isRead: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const store = aStore();
        for (const { id, length, isRead } of steps) {
          await (isRead
            ? store.get(anOwner('s'), id)
            : store.put(anOwner('s'), [{ id: id, passage: aPassage({ text: 'x'.repeat(length) }) }]));
          expect(store.counters().bytes).toBeLessThanOrEqual(100_000);
        }
        expect(await idsOf(store)).toHaveLength(store.counters().passages);
      }),
      { numRuns: 50 },
    );
  });
});
