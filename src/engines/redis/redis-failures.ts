import { BackendUnavailableError } from '../../core/errors.js';

/** The connection failed. */
export class RedisBroken extends Error {}

/** Redis answered with an error. Its text is not kept, since it may quote the command. */
export class RedisRefusal extends Error {
  /** @param code  the first word of the error, such as NOSCRIPT */
  constructor(readonly code: string) {
    super(`Redis returned the error ${code}.`);
  }
}

/** Temporary errors. */
const TEMPORARY = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY'];

/** Advice for permanent errors. */
const HINTS: Readonly<Record<string, string>> = {
  NOAUTH: 'The operator should add the Redis password to PITH_REDIS_URL.',
  WRONGPASS: 'The operator should correct the user and password in PITH_REDIS_URL.',
  NOPERM:
    'The operator should allow the user in PITH_REDIS_URL to run scripts on keys that start with pith:scratch:.',
  OOM: 'The operator should give Redis more memory, or lower PITH_SCRATCH_BYTES.',
};

/** The code of an error that Redis sent as `text`. */
export const codeOf = (text: string): string => /^[A-Z]+(?= |$)/.exec(text)?.[0] ?? 'ERR';

/** True for temporary failures. */
export function isTransientRedis(error: unknown): boolean {
  if (error instanceof RedisRefusal) return TEMPORARY.includes(error.code);
  return error instanceof RedisBroken;
}

/** Rethrows a permanent Redis error as an error for callers, and other errors unchanged. */
export function rethrow(error: unknown): never {
  if (!(error instanceof RedisRefusal) || isTransientRedis(error)) throw error;
  throw new BackendUnavailableError(`Redis rejected the request (${error.code}).`, {
    reason: 'redis',
    hint: HINTS[error.code] ?? 'The operator should check the Redis log.',
    cause: error,
  });
}
