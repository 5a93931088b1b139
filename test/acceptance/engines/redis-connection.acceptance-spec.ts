import { setTimeout as sleep } from 'node:timers/promises';
import { withCallSignal } from '../../../src/core/call-signal.js';
import type { RedisScratchStore } from '../../../src/engines/redis/redis-scratch-store.js';
import { anOwner, aPassage } from '../../support/builders.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.js';
import { poll } from '../../support/processes.js';
import { aRedisStore } from '../../support/redis-scratch.js';

const TIMEOUT_MS = 1_500;
const owner = anOwner('a session', { projectId: 'connections' });
const kept = [{ id: 'a', passage: aPassage() }];
const LATE = { code: 'TIMEOUT', reason: 'redis' };
const UNAVAILABLE = { code: 'BACKEND_UNAVAILABLE', reason: 'redis' };

describeEngines(['redis'], 'the connection to Redis', () => {
  const real = new URL(engineUrl('redis') ?? 'redis://127.0.0.1');
  let proxy: FaultProxy;
  let store: RedisScratchStore;

  beforeEach(async () => {
    proxy = await startFaultProxy({ host: real.hostname, port: Number(real.port || 6379) });
    const url = new URL(real);
    url.host = `${proxy.host}:${proxy.port}`;
    store = aRedisStore(url.href, { timeoutMs: TIMEOUT_MS });
  });
  afterEach(async () => {
    await proxy.set({ mode: 'pass' });
    await store.close();
    await poll('the end of connections', () => proxy.connections() === 0 || undefined);
    await proxy.stop();
  });

  it('is opened when it is needed, and only once for concurrent requests', async () => {
    await sleep(50);
    expect(proxy.accepted()).toBe(0);
    await Promise.all(Array.from({ length: 30 }, () => store.put(owner, kept)));
    expect([proxy.accepted(), proxy.connections()]).toEqual([1, 1]);
  });

  it('stays open when a call is cancelled, and the next call gets its own answer', async () => {
    await store.put(owner, kept);
    await proxy.set({ mode: 'slow', delayMs: 100 });
    const caller = new AbortController();
    const taken = withCallSignal(caller.signal, () => store.get(owner, 'a')).catch((error: unknown) => error);
    await sleep(20);
    caller.abort(new Error('taken back'));
    expect(await taken).toMatchObject({ message: 'taken back' });
    await store.put(owner, [{ id: 'b', passage: aPassage({ text: 'Another.' }) }]);
    expect(await store.get(owner, 'b')).toMatchObject({ text: 'Another.' });
    expect(proxy.accepted()).toBe(1);
  });

  it('is replaced when Redis stops answering', async () => {
    await store.put(owner, kept);
    await proxy.set({ mode: 'half-open' });
    await expect(store.get(owner, 'a')).rejects.toMatchObject(LATE);
    await proxy.set({ mode: 'pass' });
    expect(await store.get(owner, 'a')).toMatchObject({ text: 'Use it.' });
    expect([proxy.accepted(), proxy.connections()]).toEqual([2, 1]);
  });

  it('times out if authentication gets no answer', async () => {
    await proxy.set({ mode: 'half-open' });
    await expect(store.check()).rejects.toMatchObject(LATE);
    await poll('the end of the attempt', () => proxy.connections() === 0 || undefined);
    await proxy.set({ mode: 'pass' });
    await expect(store.check()).resolves.toBeUndefined();
  });

  it('is opened again after a restart of Redis, without a failed read', async () => {
    await store.put(owner, kept);
    await proxy.set({ mode: 'down' });
    await sleep(50);
    await proxy.set({ mode: 'pass' });
    expect(await store.get(owner, 'a')).toMatchObject({ text: 'Use it.' });
  });

  it('is retried by a read, but not by a write', async () => {
    await store.put(owner, kept);
    await proxy.set({ mode: 'down' });
    const before = proxy.accepted();
    await expect(store.put(owner, kept)).rejects.toMatchObject(UNAVAILABLE);
    const back = sleep(20).then(() => proxy.set({ mode: 'pass' }));
    await store.get(owner, 'a').catch((error: unknown) => expect(error).toMatchObject(UNAVAILABLE));
    await back;
    expect(await store.get(owner, 'a')).not.toBeNull();
    expect(proxy.accepted() - before).toBe(1);
  });

  it('is not used after it is closed', async () => {
    await store.put(owner, kept);
    await store.close();
    await poll('the end of connections', () => proxy.connections() === 0 || undefined);
    await expect(store.put(owner, kept)).rejects.toMatchObject(UNAVAILABLE);
    expect(proxy.connections()).toBe(0);
  });

  it('leaves nothing open if it is closed while connecting', async () => {
    const first = store.put(owner, kept).catch(() => undefined);
    await store.close();
    await first;
    await poll('the end of connections', () => proxy.connections() === 0 || undefined);
  });
});
