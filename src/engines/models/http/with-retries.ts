import { BackendUnavailableError } from '../../../core/errors.js';
import { HttpFailure, isTemporary, NoAnswer, UnreadableAnswer } from './post-json.js';

/** Resolves after a number of milliseconds. */
export type Wait = (ms: number) => Promise<void>;

const FIRST_WAIT_MS = 1_000;
/** Limit of a wait; longer `Retry-After` values are shortened to it. */
const LONGEST_WAIT_MS = 60_000;

function waitFor(error: BackendUnavailableError, attempt: number): number {
  const requested = error.cause instanceof HttpFailure ? error.cause.retryAfterMs : null;
  return Math.min(LONGEST_WAIT_MS, Math.max(requested ?? 0, FIRST_WAIT_MS * 2 ** attempt));
}

/** False for errors that a retry can't fix, such as a refused key or an unreadable answer. */
function isRetryable(error: unknown, isKnown: boolean): error is BackendUnavailableError {
  if (!(error instanceof BackendUnavailableError) || error.cause === undefined) return false;
  const { cause } = error;
  if (cause instanceof NoAnswer && !isKnown) return false;
  return !(cause instanceof UnreadableAnswer || (cause instanceof HttpFailure && !isTemporary(cause)));
}

/**
 * Retries a request with exponential backoff, or after the time in `Retry-After` if that is longer.
 * @param retries  attempts after the first one
 * @param isKnown  true if the server has answered before; otherwise a failed connection is not retried
 */
export async function withRetries<T>(
  ask: () => Promise<T>,
  { retries, wait, isKnown }: { readonly retries: number; readonly wait: Wait; readonly isKnown: boolean },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= retries || !isRetryable(error, isKnown)) throw error;
      await wait(waitFor(error, attempt));
    }
  }
}
