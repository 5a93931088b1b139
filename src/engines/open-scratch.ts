import { Logger } from '@nestjs/common';
import { KeyRing } from './redis/key-ring.js';
import { RedisScratchStore } from './redis/redis-scratch-store.js';
import type { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import { serverSecret } from '../config/server-secret.js';
import { MemoryScratchStore } from '../scratch/memory-scratch-store.js';
import type { ScratchCounters, ScratchStore } from '../core/ports/scratch-store.port.js';

const MIN_KEY_CHARS = 32;

function warnOfPressure({ evictions, passages, bytes }: ScratchCounters): void {
  new Logger('scratch').warn(
    `scratch memory is full: ${evictions} passages evicted, ${passages} kept in ${bytes} bytes; raise PITH_SCRATCH_BYTES`,
  );
}

function warnOfUnreadable(): void {
  new Logger('scratch').warn(
    "a passage in Redis can't be decrypted and is treated as missing: it was encrypted with a key that is not in PITH_SCRATCH_KEY, or it was modified",
  );
}

/** Whether the library can read it: a `/`, `#` or `%` in a password has to be encoded. */
function isReadableUrl(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    return decodeURIComponent(username) !== null && decodeURIComponent(password) !== null;
  } catch {
    return false;
  }
}

/** @throws InvalidConfigurationError where passages could be neither sealed nor found again */
function checkedKeys(config: Config): KeyRing {
  const keys = config.backends.scratchKey.split(',').map((key) => key.trim());
  const problems: string[] = [];
  if (!isReadableUrl(config.backends.redisUrl)) {
    problems.push(
      'PITH_REDIS_URL is not a valid URL. Percent-encode every character in its password that is not a letter or digit.',
    );
  }
  if (keys.some((key) => key.length < MIN_KEY_CHARS)) {
    problems.push(
      `PITH_SCRATCH_ENGINE=redis needs PITH_SCRATCH_KEY: at least ${MIN_KEY_CHARS} characters, the same for all replicas. Separate several keys with commas.`,
    );
  }
  if (!serverSecret(config).isLasting) {
    problems.push(
      'PITH_SCRATCH_ENGINE=redis needs PITH_SECRET, the same for all replicas: it is part of the passage keys.',
    );
  }
  if (problems.length > 0) throw new InvalidConfigurationError(problems);
  return new KeyRing(keys);
}

function redisStore(config: Config): RedisScratchStore {
  const { redisUrl, timeoutMs, concurrency } = config.backends;
  const { ttlS, maxBytes } = config.scratch;
  return new RedisScratchStore({
    url: redisUrl,
    timeoutMs,
    concurrency,
    ttlMs: ttlS * 1000,
    maxBytes,
    secret: serverSecret(config).secret,
    keys: checkedKeys(config),
    onPressure: warnOfPressure,
    onUnreadable: warnOfUnreadable,
  });
}

/**
 * The store of passages that is configured. Nothing is connected before it is needed.
 * @throws InvalidConfigurationError
 */
export function openScratch(config: Config): ScratchStore {
  if (config.backends.scratch === 'redis') return redisStore(config);
  const { ttlS, maxBytes } = config.scratch;
  return new MemoryScratchStore({
    ttlMs: ttlS * 1000,
    maxBytes,
    now: Date.now,
    onPressure: warnOfPressure,
  });
}
