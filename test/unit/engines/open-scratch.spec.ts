import { parseConfig } from '../../../src/config/config.js';
import { serverSecret } from '../../../src/config/server-secret.js';
import { openScratch } from '../../../src/engines/open-scratch.js';
import { PostgresScratchStore } from '../../../src/engines/postgres/postgres-scratch-store.js';
import { RedisScratchStore } from '../../../src/engines/redis/redis-scratch-store.js';
import { MemoryScratchStore } from '../../../src/scratch/memory-scratch-store.js';
import { SECRET } from '../../support/builders.js';

const KEY = 'a key for tests of more than 32 characters';
const REDIS = {
  PITH_INDEX: '/nowhere/index.sqlite',
  PITH_SCRATCH_ENGINE: 'redis',
  PITH_SCRATCH_KEY: KEY,
  PITH_SECRET: SECRET,
};
const open = (environment: Record<string, string | undefined>) => {
  const config = parseConfig(environment);
  return openScratch(config, serverSecret(config), () => undefined);
};
const problemOf = (environment: Record<string, string | undefined>): string => {
  try {
    open(environment);
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('openScratch', () => {
  it('keeps passages in memory by default', () => {
    expect(open({})).toBeInstanceOf(MemoryScratchStore);
  });

  it('keeps passages in the database of all replicas if there is one, without connecting to it', () => {
    const shared = { PITH_DATABASE: 'postgres://db.example.org/pith' };
    expect(open(shared)).toBeInstanceOf(PostgresScratchStore);
    expect(open({ ...shared, PITH_SCRATCH_ENGINE: 'memory' })).toBeInstanceOf(MemoryScratchStore);
    expect(open({ ...shared, ...REDIS })).toBeInstanceOf(RedisScratchStore);
  });

  it('keeps passages in Redis if configured, without connecting to it', () => {
    expect(open(REDIS)).toBeInstanceOf(RedisScratchStore);
    expect(open({ ...REDIS, PITH_SCRATCH_KEY: `${KEY}, ${KEY}2` })).toBeInstanceOf(RedisScratchStore);
  });

  it.each([
    ['no key', { PITH_SCRATCH_KEY: undefined }, 'needs PITH_SCRATCH_KEY'],
    ['a short key', { PITH_SCRATCH_KEY: 'short' }, 'needs PITH_SCRATCH_KEY'],
    ['a short second key', { PITH_SCRATCH_KEY: `${KEY},short` }, 'needs PITH_SCRATCH_KEY'],
    ['a comma at the end', { PITH_SCRATCH_KEY: `${KEY},` }, 'needs PITH_SCRATCH_KEY'],
    ['a slash in the password', { PITH_REDIS_URL: 'redis://:te/sts@host:6379' }, 'Percent-encode'],
    ['a per cent sign in the password', { PITH_REDIS_URL: 'redis://:%tests@host:6379' }, 'Percent-encode'],
    ['no secret that lasts', { PITH_SECRET: undefined }, 'needs PITH_SECRET'],
  ])('prevents the start with %s, and shows no key', (_, settings, words) => {
    const problem = problemOf({ ...REDIS, ...settings });
    expect(problem).toContain(words);
    expect(problem).not.toMatch(/short|tests/);
  });
});
