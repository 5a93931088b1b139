import { BackendUnavailableError } from '../../core/errors.js';

/** The connection could not be made, or it broke. */
export class RedisBroken extends Error {}

/** Redis answered with an error. Its text is not kept: it may repeat what was sent. */
export class RedisRefusal extends Error {
  /** @param code  the word that Redis puts first, such as NOSCRIPT */
  constructor(readonly code: string) {
    super(`Redis returned the error ${code}.`);
  }
}

/** Errors of a server that is busy with itself. */
const PASSING = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY'];

/** What an operator can do about the others. */
const HINTS: Readonly<Record<string, string>> = {
  NOAUTH: 'The operator should add the Redis password to PITH_REDIS_URL.',
  WRONGPASS: 'The operator should correct the user and password in PITH_REDIS_URL.',
  NOPERM:
    'The operator should allow the user in PITH_REDIS_URL to run scripts on keys that start with pith:scratch:.',
  OOM: 'The operator should give Redis more memory, or lower PITH_SCRATCH_BYTES.',
};

/** The code of an error that Redis sent as `text`. */
export const codeOf = (text: string): string => /^[A-Z]+(?= |$)/.exec(text)?.[0] ?? 'ERR';

/** Whether a failure may be gone at the next try. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RedisRefusal) return PASSING.includes(error.code);
  return error instanceof RedisBroken;
}

/** Throws what Redis refuses for good as an error for callers, anything else as it is. */
export function rethrow(error: unknown): never {
  if (!(error instanceof RedisRefusal) || isPassing(error)) throw error;
  throw new BackendUnavailableError(`Redis rejected the request (${error.code}).`, {
    reason: 'redis',
    hint: HINTS[error.code] ?? 'The operator should check the Redis log.',
    cause: error,
  });
}
