import { KeyRing } from '../../../src/engines/redis/key-ring.js';
import type { RedisScratchOptions } from '../../../src/engines/redis/redis-scratch-store.js';
import { ScratchNames } from '../../../src/engines/scratch-records.js';
import { scratchStoreContract, type ScratchSubject } from '../../contract/scratch-store.contract.js';
import { aPassage, SECRET } from '../../support/builders.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { aRedisStore, aRedisSubject, besideRedis, KEY } from '../../support/redis-scratch.js';

const url = engineUrl('redis') ?? '';
const names = new ScratchNames(SECRET);

type Beside = Awaited<ReturnType<typeof besideRedis>>;

describeEngines(['redis'], 'passages in Redis', () => {
  scratchStoreContract('RedisScratchStore', async (limits) => aRedisSubject(url, limits));

  let redis: Beside;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    redis = await besideRedis(url);
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  afterAll(async () => {
    await redis.close();
  });

  const aSubject = (options: Partial<RedisScratchOptions> = {}): ScratchSubject => {
    const subject = aRedisSubject(url, options);
    open.push(subject);
    return subject;
  };
  const another = (options: Partial<RedisScratchOptions> = {}) => {
    const store = aRedisStore(url, options);
    open.push(store);
    return store;
  };
  const kept = (id: string, text = 'A text that is a secret.') => [{ id, passage: aPassage({ text }) }];
  const recordOf = ({ owner }: ScratchSubject, id: string, session = 's') =>
    `${names.space(owner(session))}:p:${names.passage(owner(session), id)}`;
  const keysOf = async ({ owner }: ScratchSubject): Promise<string[]> =>
    (await redis.keys(`${names.space(owner()).replace(/[[\]{}*?]/g, '\\$&')}*`)).map(String).sort();
  const bytesAt = (key: string): Promise<Buffer> =>
    redis.sendCommand(['GET', key], { typeMapping: { 36: Buffer } });

  describe('the content of Redis', () => {
    it('reveals nothing of sessions, ids, titles and texts', async () => {
      const subject = aSubject();
      const passage = aPassage({
        text: 'A text that is a secret.',
        title: 'Some title',
        sourceUri: 'some/path.md',
      });
      await subject.store.put(subject.owner('my-session'), [{ id: 'my-passage', passage }]);
      const keys = await keysOf(subject);
      const dumps = await Promise.all(
        keys.map((key) => redis.sendCommand<Buffer>(['DUMP', key], { typeMapping: { 36: Buffer } })),
      );
      const all = [...keys, ...dumps.map((dump) => dump.toString('latin1'))].join('\n');
      expect(keys).toHaveLength(5);
      for (const word of ['secret', 'title', 'path', 'my-session', 'my-passage', 'project', 'guide'])
        expect(all).not.toContain(word);
    });

    it('expires with all its keys, and is renewed by use', async () => {
      const subject = aSubject({ ttlMs: 60_000 });
      await subject.store.put(subject.owner('s'), [...kept('a'), ...kept('b')]);
      const keys = await keysOf(subject);
      for (const key of keys) await redis.pExpire(key, 1_000);
      await subject.store.get(subject.owner('s'), 'a');
      const left = new Map(await Promise.all(keys.map(async (key) => [key, await redis.pTTL(key)] as const)));
      const short = keys.filter((key) => (left.get(key) ?? 0) <= 1_000);
      expect(short).toEqual([recordOf(subject, 'b')]);
      expect(Math.min(...left.values())).toBeGreaterThan(0);
    });

    it('uses no more memory than is counted', async () => {
      const usedBytes = async (): Promise<number> =>
        Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
      const subject = aSubject();
      const before = await usedBytes();
      for (let i = 0; i < 4_000; i += 50) {
        const some = Array.from({ length: 50 }, (_, j) => kept(String(i + j), 'x'.repeat((i + j) % 3_000)));
        await subject.store.put(subject.owner(`session ${i % 400}`), some.flat());
      }
      const taken = (await usedBytes()) - before;
      const { bytes, passages } = subject.store.counters();
      expect(passages).toBe(4_000);
      expect(taken / bytes).toBeLessThan(1);
      expect(taken / bytes).toBeGreaterThan(0.7);
    });
  });

  describe('changes by others', () => {
    const unreadable = () => {
      const told = { times: 0 };
      return { told, onUnreadable: () => told.times++ };
    };

    it('treats a changed passage as missing, and warns once', async () => {
      const { told, onUnreadable } = unreadable();
      const subject = aSubject({ onUnreadable });
      await subject.store.put(subject.owner('s'), [...kept('a'), ...kept('b')]);
      const key = recordOf(subject, 'a');
      const record = await bytesAt(key);
      for (const at of [0, 3, 20, 40, 60, 80, 120, record.length - 1]) {
        const changed = Buffer.from(record);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await redis.set(key, changed);
        expect(await subject.store.get(subject.owner('s'), 'a')).toBeNull();
      }
      expect((await subject.store.list(subject.owner('s'), 5)).map(({ id }) => id)).toEqual(['b']);
      expect(told.times).toBe(1);
      await redis.set(key, record);
      expect(await subject.store.get(subject.owner('s'), 'a')).not.toBeNull();
    });

    it.each([
      ['another session', 'a', 't'],
      ['another id', 'b', 's'],
    ])('does not decrypt a passage that was moved to %s', async (_, id, session) => {
      const subject = aSubject();
      await subject.store.put(subject.owner('s'), kept('a'));
      await subject.store.put(subject.owner(session), kept(id, 'Theirs.'));
      await redis.copy(recordOf(subject, 'a', 's'), recordOf(subject, id, session), { REPLACE: true });
      expect(await subject.store.get(subject.owner(session), id)).toBeNull();
      const listed = await subject.store.list(subject.owner(session), 5);
      expect(listed.map((one) => one.id)).toEqual(session === 's' ? ['a'] : []);
    });

    it.each([
      ['an empty record', ''],
      ['a short record', 'x'],
      ['nonsense', 'nonsense '.repeat(100)],
    ])('treats %s as missing', async (_, record) => {
      const subject = aSubject();
      await subject.store.put(subject.owner('s'), kept('a'));
      await redis.set(recordOf(subject, 'a'), record);
      expect(await subject.store.get(subject.owner('s'), 'a')).toBeNull();
      await subject.store.put(subject.owner('s'), kept('a'));
      expect(await subject.store.get(subject.owner('s'), 'a')).not.toBeNull();
    });

    it('continues after Redis was emptied or has lost the scripts', async () => {
      const subject = aSubject();
      await subject.store.put(subject.owner('s'), kept('a'));
      await redis.scriptFlush();
      expect(await subject.store.get(subject.owner('s'), 'a')).not.toBeNull();
      await redis.del(await keysOf(subject));
      expect(await subject.store.get(subject.owner('s'), 'a')).toBeNull();
      await subject.store.put(subject.owner('s'), kept('a'));
      expect(subject.store.counters()).toMatchObject({ passages: 1 });
    });

    it('corrects its sums after Redis has evicted records or their index', async () => {
      const subject = aSubject();
      const { store, owner } = subject;
      await store.put(owner('s'), [...kept('a'), ...kept('b')]);
      await redis.del(recordOf(subject, 'a'));
      expect((await store.list(owner('s'), 5)).map(({ id }) => id)).toEqual(['b']);
      expect(store.counters()).toMatchObject({ passages: 1, expirations: 1 });
      const { bytes } = store.counters();
      await redis.del(['use', 'sizes', 'sum'].map((what) => `${names.space(owner())}:${what}`));
      expect(await store.get(owner('s'), 'b')).not.toBeNull();
      expect(store.counters()).toMatchObject({ passages: 1, bytes });
    });
  });

  describe('keys', () => {
    const OLD = KEY;
    const NEW = 'a newer key for tests of more than 32 characters';

    it('decrypt passages of each other, so that they can be changed one replica at a time', async () => {
      const subject = aSubject({ keys: new KeyRing([OLD]) });
      const changing = another({ keys: new KeyRing([NEW, OLD]) });
      const changed = another({ keys: new KeyRing([NEW]) });
      const owner = subject.owner('s');
      await subject.store.put(owner, kept('old'));
      expect(await changing.get(owner, 'old')).not.toBeNull();
      expect(await changed.get(owner, 'old')).toBeNull();
      await changing.put(owner, [...kept('old'), ...kept('new')]);
      expect(await changed.get(owner, 'old')).not.toBeNull();
      expect((await changed.list(owner, 5)).map(({ id }) => id)).toEqual(['old', 'new']);
      expect(await subject.store.get(owner, 'new')).toBeNull();
    });

    it('do not decrypt passages of a server with another secret', async () => {
      const subject = aSubject();
      await subject.store.put(subject.owner('s'), kept('a'));
      const stranger = another({ secret: `${SECRET}!` });
      expect(await stranger.get(subject.owner('s'), 'a')).toBeNull();
      expect(await stranger.list(subject.owner('s'), 5)).toEqual([]);
    });
  });

  describe('several servers', () => {
    it('find and renew each other’s passages, and share their order of use', async () => {
      const subject = aSubject();
      const other = another();
      const owner = subject.owner('s');
      await subject.store.put(owner, kept('a'));
      await other.put(owner, kept('b'));
      expect(await other.get(owner, 'a')).toEqual(await subject.store.get(owner, 'a'));
      expect((await other.list(owner, 5)).map(({ id }) => id)).toEqual(['a', 'b']);
    });

    it('share one limit, which concurrent writes never exceed', async () => {
      const maxBytes = 150_000;
      const subject = aSubject({ maxBytes });
      const stores = [subject.store, another({ maxBytes }), another({ maxBytes, secret: `${SECRET}!` })];
      const seen: number[] = [];
      for (let round = 0; round < 20; round++) {
        await Promise.all(
          stores.map(async (store, i) => {
            await store.put(subject.owner(`s${i}`), kept(String(round), 'x'.repeat(10_000)));
            seen.push(store.counters().bytes);
          }),
        );
      }
      expect(Math.max(...seen)).toBeLessThanOrEqual(maxBytes);
      expect(stores.reduce((sum, store) => sum + store.counters().evictions, 0)).toBe(50);
      expect((await keysOf(subject)).filter((key) => key.includes(':p:'))).toHaveLength(10);
    });

    it('warn once when memory is short', async () => {
      const told: number[] = [];
      const { store, owner } = aSubject({
        maxBytes: 30_000,
        onPressure: ({ evictions }) => told.push(evictions),
      });
      for (let i = 0; i < 40; i++) await store.put(owner('s'), kept(String(i), 'x'.repeat(10_000)));
      expect(told).toEqual([16]);
    });
  });

  describe('the required access to Redis', () => {
    const withUser = (user: string, password: string): string => {
      const other = new URL(url);
      other.username = user;
      other.password = password;
      return other.href;
    };

    it('is limited to scripts and these commands, on its own keys', async () => {
      await redis.sendCommand(
        `ACL SETUSER pith-tests reset on >its-password ~pith:scratch:* +evalsha +eval +ping +time +get +set +getrange
         +del +pexpire +pttl +hget +hset +hdel +hexists +zadd +zrem +zscore +zcard +zrange +zrevrange +zrangebyscore`.split(
          /\s+/,
        ),
      );
      const store = another({ url: withUser('pith-tests', 'its-password') });
      const { owner } = aSubject();
      await store.check();
      await store.put(owner('s'), [...kept('a'), ...kept('b')]);
      expect(await store.get(owner('s'), 'a')).not.toBeNull();
      expect(await store.list(owner('s'), 5)).toHaveLength(2);
      await redis.sendCommand(['ACL', 'DELUSER', 'pith-tests']);
    });

    it.each([
      ['no password', () => url.replace(/:[^:@/]*@/, '')],
      ['another password', () => withUser('default', 'wrong')],
      ['an unknown user', () => withUser('nobody', 'wrong')],
    ])('is reported to operators for %s, without the password', async (_, wrong) => {
      const store = another({ url: wrong() });
      const failure: unknown = await store.check().catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        reason: 'redis',
        hint: expect.stringContaining('PITH_REDIS_URL'),
      });
      expect(JSON.stringify(failure) + String(failure)).not.toMatch(/wrong|nobody|testpass/);
    });

    it('includes memory: a full Redis is reported', async () => {
      const before = await redis.configGet('maxmemory');
      await redis.configSet('maxmemory', '1mb');
      const { store, owner } = aSubject();
      const failure: unknown = await store.put(owner('s'), kept('a')).catch((error: unknown) => error);
      await redis.configSet('maxmemory', String(before['maxmemory']));
      expect(failure).toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        reason: 'redis',
        hint: expect.stringContaining('PITH_SCRATCH_BYTES'),
      });
      await store.put(owner('s'), kept('a'));
    });
  });
});
