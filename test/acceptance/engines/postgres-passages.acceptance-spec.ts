import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresConnection } from '../../../src/engines/postgres/postgres-connection.js';
import type { PostgresRow, RunSql } from '../../../src/engines/postgres/postgres-pool.js';
import {
  type PostgresScratchOptions,
  PostgresScratchStore,
} from '../../../src/engines/postgres/postgres-scratch-store.js';
import { scratchStoreContract, type ScratchSubject } from '../../contract/scratch-store.contract.js';
import { anOwner, aPassage, SECRET } from '../../support/builders.js';
import { describeEngines } from '../../support/engine.js';
import { aPool, connectTo, type TestDatabase, testDatabase } from '../../support/postgres-database.js';
import { poll } from '../../support/processes.js';

const WAITING = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

/** Transactions end when the test says so. */
class HeldConnection extends PostgresConnection {
  release = (): void => undefined;
  private reach = (): void => undefined;
  readonly isReached = new Promise<void>((resolve) => (this.reach = resolve));
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  override write<T>(begin: string, work: (run: RunSql, begun: PostgresRow[]) => Promise<T>): Promise<T> {
    return super.write(begin, async (run, begun) => {
      const result = await work(run, begun);
      this.reach();
      await this.released;
      return result;
    });
  }
}

describeEngines(['postgres'], 'passages in PostgreSQL', () => {
  let database: TestDatabase;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  afterAll(() => database.remove());

  const aStore = (options: Partial<PostgresScratchOptions> = {}): PostgresScratchStore => {
    const store = new PostgresScratchStore({
      connection: connectTo(database.url, { timeoutMs: 30_000 }),
      ttlMs: 60_000,
      maxBytes: 100_000_000,
      secret: SECRET,
      onPressure: () => undefined,
      ...options,
    });
    open.push(store);
    return store;
  };
  /** A store with a project of its own. */
  const aSubject = (options: Partial<PostgresScratchOptions> = {}): ScratchSubject => {
    const store = aStore(options);
    const projectId = `project ${randomUUID()}`;
    return {
      store,
      owner: (sessionId, overrides = {}) =>
        anOwner(sessionId, { ...overrides, projectId: `${projectId}${overrides.projectId ?? ''}` }),
      pass: async (ms) => void (await sleep(ms)),
      close: () => store.close(),
    };
  };
  const kept = (id: string, text = 'A text.') => [{ id, passage: aPassage({ text }) }];
  const rows = () => database.sql('SELECT * FROM pith.passage');

  scratchStoreContract('PostgresScratchStore', async (limits) => aSubject(limits));

  it('are found by every replica with the secret, and by no other', async () => {
    const { store, owner } = aSubject();
    await store.put(owner('s'), kept('a'));
    await aStore().put(owner('s'), kept('b'));
    expect(await aStore().get(owner('s'), 'a')).toMatchObject({ text: 'A text.' });
    expect((await store.list(owner('s'), 5)).map(({ id }) => id)).toEqual(['a', 'b']);
    const stranger = aStore({ secret: `${SECRET}!` });
    expect(await stranger.get(owner('s'), 'a')).toBeNull();
    expect(await stranger.list(owner('s'), 5)).toEqual([]);
  });

  it('share one limit, which concurrent writes never exceed', async () => {
    const maxBytes = 150_000;
    const subject = aSubject({ maxBytes });
    const stores = [subject.store, aStore({ maxBytes }), aStore({ maxBytes, secret: `${SECRET}!` })];
    const found: number[] = [];
    for (let round = 0; round < 20; round++) {
      const each = stores.map(async (store, i) => {
        await store.put(subject.owner(`s${i}`), kept(String(round), 'x'.repeat(10_000)));
        found.push(store.counters().bytes);
      });
      await Promise.all(each);
    }
    expect(Math.max(...found)).toBeLessThanOrEqual(maxBytes);
    const { passages } = stores[0]?.counters() ?? {};
    expect(stores.reduce((sum, store) => sum + store.counters().evictions, 0)).toBe(60 - Number(passages));
  });

  it('have a row each until they expire, also in projects that nobody uses any more', async () => {
    const { store, owner, pass } = aSubject({ ttlMs: 300 });
    await store.put(owner('my-session'), [...kept('a'), ...kept('a', 'The last one.')]);
    const found = await rows();
    expect(JSON.stringify(found)).not.toContain('my-session');
    await pass(400);
    const other = aSubject();
    await other.store.put(other.owner(), kept('b'));
    expect(found.length - (await rows()).length).toBe(0);
    expect(await store.get(owner('my-session'), 'a')).toBeNull();
  });

  it('of one project do not wait for those of another', async () => {
    const held = new HeldConnection(aPool(database.url, { timeoutMs: 30_000 }));
    const [mine, others] = [aSubject({ connection: held }), aSubject()];
    const writing = mine.store.put(mine.owner('s'), kept('a'));
    await held.isReached;
    await others.store.put(others.owner('s'), kept('b'));
    expect(await others.store.list(others.owner('s'), 5)).toHaveLength(1);
    const next = aStore().put(mine.owner('s'), kept('c'));
    await poll('a put that waits', async () => (await database.sql(WAITING)).length === 1 || undefined);
    held.release();
    await Promise.all([writing, next]);
  });

  it('warn once when the limit evicts many', async () => {
    const warned: number[] = [];
    const onPressure = ({ evictions }: { readonly evictions: number }) => warned.push(evictions);
    const { store, owner } = aSubject({ maxBytes: 30_000, onPressure });
    for (let i = 0; i < 40; i++) await store.put(owner('s'), kept(String(i), 'x'.repeat(10_000)));
    expect(warned).toEqual([16]);
  });

  it('are treated as missing if another version wrote them', async () => {
    const { store, owner } = aSubject();
    await store.put(owner('s'), kept('a'));
    await database.sql(`UPDATE pith.passage SET record = '{"id":"a"}'`);
    expect(await store.get(owner('s'), 'a')).toBeNull();
    expect(await store.list(owner('s'), 5)).toEqual([]);
  });
});
