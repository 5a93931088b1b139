import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import type { WorkClock } from './daily-removal.js';

/** Shortest time between two lines about throttled calls of one principal (ms). */
const WINDOW_MS = 1_000;

/** Reasons of calls that `CallerLimits` refuses. */
const REASONS = ['rate_limited', 'concurrency', 'quota'];

/** True for a call that was refused because its principal makes too many. */
export const isThrottled = ({ call, error }: FinishedCall): boolean =>
  error !== null && REASONS.includes(error.reason) && !call.trace.isStarted;

/** Throttled calls since the last line about one principal. */
interface Window {
  calls: number;
  last: FinishedCall | null;
}

/** Combines throttled calls: a principal that calls too often adds at most one line a second to the ledger. */
export class ThrottledCalls {
  private readonly windows = new Map<string, Window>();

  /** @param record  records a call, and the number of further calls that it stands for */
  constructor(
    private readonly record: (finished: FinishedCall, omitted: number) => void,
    private readonly clock: Pick<WorkClock, 'after'>,
  ) {}

  note(finished: FinishedCall): void {
    const { principal } = finished.call.caller;
    const window = this.windows.get(principal);
    if (!window) return this.open(principal, finished, 0);
    window.calls++;
    window.last = finished;
  }

  /** Records what is not recorded yet. */
  flush(): void {
    for (const { calls, last } of this.windows.values()) if (last) this.record(last, calls - 1);
    this.windows.clear();
  }

  private open(principal: string, finished: FinishedCall, omitted: number): void {
    const window: Window = { calls: 0, last: null };
    this.windows.set(principal, window);
    this.clock.after(WINDOW_MS, () => this.close(principal, window));
    this.record(finished, omitted);
  }

  private close(principal: string, window: Window): void {
    if (this.windows.get(principal) !== window) return;
    this.windows.delete(principal);
    const { calls, last } = window;
    if (last) this.open(principal, last, calls - 1);
  }
}
