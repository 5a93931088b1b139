import { BackendUnavailableError } from '../../../core/errors.js';
import { HttpFailure, mayPass, NoAnswer, UnreadableAnswer } from './post-json.js';

/** Lets so many milliseconds pass. */
export type Wait = (ms: number) => Promise<void>;

/** Waits by the clock. */
export const sleep: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const FIRST_WAIT_MS = 1_000;
/** A server that wants to be left alone for longer is as good as down. */
const LONGEST_WAIT_MS = 60_000;

function waitFor(error: BackendUnavailableError, attempt: number): number {
  const asked = error.cause instanceof HttpFailure ? error.cause.retryAfterMs : null;
  return Math.min(LONGEST_WAIT_MS, Math.max(asked ?? 0, FIRST_WAIT_MS * 2 ** attempt));
}

/** A key that is refused stays refused, and nonsense stays nonsense; a server that is busy or gone may come back. */
function isWorthWaiting(error: unknown, isKnown: boolean): error is BackendUnavailableError {
  if (!(error instanceof BackendUnavailableError) || error.cause === undefined) return false;
  const { cause } = error;
  if (cause instanceof NoAnswer && !isKnown) return false;
  return !(cause instanceof UnreadableAnswer || (cause instanceof HttpFailure && !mayPass(cause)));
}

/**
 * Asks again where nobody waits for the answer, longer apart each time and as long as the server asks for.
 * @param tries  after the first one; 0 asks once
 * @param isKnown  whether the server has answered before; if not, a failed connection is not retried
 */
export async function withPatience<T>(
  ask: () => Promise<T>,
  { tries, wait, isKnown }: { readonly tries: number; readonly wait: Wait; readonly isKnown: boolean },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt >= tries || !isWorthWaiting(error, isKnown)) throw error;
      await wait(waitFor(error, attempt));
    }
  }
}
