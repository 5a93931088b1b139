import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { KeyRing } from '../../src/engines/redis/key-ring.js';
import { type RedisScratchOptions, RedisScratchStore } from '../../src/engines/redis/redis-scratch-store.js';
import type { ScratchSubject } from '../contract/scratch-store.contract.js';
import { anOwner, SECRET } from './builders.js';

export const KEY = 'a key for tests of more than 32 characters';

/** A store on a real server. */
export function aRedisStore(url: string, options: Partial<RedisScratchOptions> = {}): RedisScratchStore {
  return new RedisScratchStore({
    url,
    timeoutMs: 5_000,
    concurrency: 16,
    ttlMs: 60_000,
    maxBytes: 100_000_000,
    secret: SECRET,
    keys: new KeyRing([KEY]),
    onPressure: () => undefined,
    onUnreadable: () => undefined,
    ...options,
  });
}

/** A store with a unique project. */
export function aRedisSubject(url: string, options: Partial<RedisScratchOptions> = {}): ScratchSubject {
  const store = aRedisStore(url, options);
  const projectId = `project ${randomUUID()}`;
  return {
    store,
    owner: (sessionId, overrides = {}) =>
      anOwner(sessionId, { ...overrides, projectId: `${projectId}${overrides.projectId ?? ''}` }),
    pass: async (ms) => {
      await sleep(ms);
    },
    close: () => store.close(),
  };
}

/** Direct access to Redis; `send` takes the words of a command. */
export async function besideRedis(url: string) {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
