import { setTimeout as delay } from 'node:timers/promises';
import { DeadlineExceededError } from '../../core/errors.js';

/** Long enough for a request that was already received to start running. */
const QUIET_MS = 20;

/** The calls that run now: each ends at its deadline, and a server that stops waits for all. */
export class RunningCalls {
  private readonly running = new Set<Promise<object>>();

  /**
   * Runs a call until it is answered or `timeoutMs` milliseconds have passed. `deadline` is aborted when they have.
   *
   * @throws DeadlineExceededError when the time has passed; what `run` throws
   */
  async within(timeoutMs: number, deadline: AbortController, run: () => Promise<object>): Promise<object> {
    const answer = run();
    this.running.add(answer);
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = deadlinePassed(timeoutMs);
        reject(error);
        deadline.abort(error);
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, over]);
    } finally {
      clearTimeout(timer);
      this.running.delete(answer);
    }
  }

  /** Waits for running calls and for requests that are still being read. @param ms  longest wait, in milliseconds */
  async drain(ms: number): Promise<void> {
    const until = performance.now() + ms;
    do {
      const left = delay(Math.max(0, until - performance.now()), undefined, { ref: false });
      await Promise.race([Promise.allSettled(this.running), left]);
      await delay(QUIET_MS);
    } while (this.running.size > 0 && performance.now() < until);
  }
}

function deadlinePassed(timeoutMs: number): DeadlineExceededError {
  return new DeadlineExceededError(`The call took longer than ${timeoutMs} ms.`, {
    reason: 'deadline',
    hint: 'Try once more with a narrower question or filters.',
  });
}
