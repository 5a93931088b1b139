import type { Config } from '../config/config.js';
import { InvalidConfigurationError } from '../config/invalid-configuration.js';
import type { ServerSecret } from '../config/server-secret.js';
import type { ScratchCounters, ScratchStore } from '../core/ports/scratch-store.port.js';
import { steadyNow } from '../core/turns/clock.js';
import { MemoryScratchStore } from '../scratch/memory-scratch-store.js';
import { isReadableUrl, openPostgres } from './postgres/open-postgres.js';
import { PostgresScratchStore } from './postgres/postgres-scratch-store.js';
import { KeyRing } from './redis/key-ring.js';
import { RedisScratchStore } from './redis/redis-scratch-store.js';

type Settings = Pick<Config, 'backends' | 'scratch'>;

const MIN_KEY_CHARS = 32;

const pressure = ({ evictions, passages, bytes }: ScratchCounters): string =>
  `scratch memory is full: ${evictions} passages evicted, ${passages} kept in ${bytes} bytes; raise PITH_SCRATCH_BYTES`;

const UNREADABLE =
  "a passage in Redis can't be decrypted and is treated as missing: it was encrypted with a key that is not in PITH_SCRATCH_KEY, or it was modified";

/** @throws InvalidConfigurationError if passages can't be encrypted, or can't be found by other replicas */
function checkedKeys({ backends }: Settings, isLasting: boolean): KeyRing {
  const keys = backends.scratchKey.split(',').map((key) => key.trim());
  const problems: string[] = [];
  if (!isReadableUrl(backends.redisUrl)) {
    problems.push(
      'PITH_REDIS_URL is not a valid URL. Percent-encode every character in its password that is not a letter or digit.',
    );
  }
  if (keys.some((key) => key.length < MIN_KEY_CHARS)) {
    problems.push(
      `PITH_SCRATCH_ENGINE=redis needs PITH_SCRATCH_KEY: at least ${MIN_KEY_CHARS} characters, the same for all replicas. Separate several keys with commas.`,
    );
  }
  if (!isLasting) {
    problems.push(
      'PITH_SCRATCH_ENGINE=redis needs PITH_SECRET, the same for all replicas: it is part of the passage keys.',
    );
  }
  if (problems.length > 0) throw new InvalidConfigurationError(problems);
  return new KeyRing(keys);
}

/** The configured store of passages; connects when it is needed. @throws InvalidConfigurationError */
export function openScratch(
  config: Settings,
  server: ServerSecret,
  warn: (message: string) => void,
): ScratchStore {
  const { ttlS, maxBytes } = config.scratch;
  const onPressure = (counters: ScratchCounters): void => warn(pressure(counters));
  const limits = { ttlMs: ttlS * 1000, maxBytes, onPressure };
  const { scratch, database, redisUrl: url, timeoutMs, concurrency } = config.backends;
  const { secret } = server;
  if (scratch === 'auto' && database !== '') {
    return new PostgresScratchStore({
      ...limits,
      secret,
      connection: openPostgres(config, 'server', 'database'),
    });
  }
  if (scratch !== 'redis') return new MemoryScratchStore({ ...limits, now: steadyNow });
  const keys = checkedKeys(config, server.isLasting);
  const onUnreadable = (): void => warn(UNREADABLE);
  return new RedisScratchStore({ ...limits, url, timeoutMs, concurrency, secret, keys, onUnreadable });
}
