import { BackendUnavailableError } from '../../../core/errors.js';
import { endThread, type GatedThread, startThread } from '../../../core/threads/gated-thread.js';
import { fromPlain } from '../../../sqlite/reader-messages.js';
import type { LedgerEntry, LedgerKeys } from '../ledger-chain.js';
import type {
  LedgerLine,
  LedgerMark,
  LedgerQuery,
  LedgerVerification,
  RunPage,
  RunQuery,
} from '../ledger-line.js';
import type { LedgerResponse, LedgerTask } from './ledger-messages.js';
import type { LedgerStore, Removal } from './ledger-store.js';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function threadLost(cause?: unknown): BackendUnavailableError {
  return new BackendUnavailableError('The thread that writes the ledger stopped.', {
    reason: 'ledger_lost',
    hint: 'Try again; the thread restarts.',
    cause,
  });
}

/**
 * Works on the file in a thread of its own, so that waiting for the disk and for other processes does not block the
 * event loop. The thread starts with the first task and restarts if it dies.
 */
export class LedgerThread implements LedgerStore {
  private thread: GatedThread | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;

  constructor(
    private readonly file: string,
    private readonly keys: LedgerKeys,
  ) {}

  /** Starts the thread and opens the file, so that the first line need not wait for that. */
  open(): void {
    // If the file can't be opened, each append says so.
    this.head().catch(() => undefined);
  }

  // The thread answers with what the method of the same name returns there.
  append(entries: readonly LedgerEntry[], isDurable: boolean): Promise<void> {
    return this.ask({ method: 'append', args: [entries, isDurable] }) as Promise<void>;
  }

  head(): Promise<LedgerMark | null> {
    return this.ask({ method: 'head', args: [] }) as Promise<LedgerMark | null>;
  }

  lines(query: LedgerQuery): Promise<LedgerLine[]> {
    return this.ask({ method: 'lines', args: [query] }) as Promise<LedgerLine[]>;
  }

  runs(query: RunQuery): Promise<RunPage> {
    return this.ask({ method: 'runs', args: [query] }) as Promise<RunPage>;
  }

  remove(removal: Removal): Promise<number> {
    return this.ask({ method: 'remove', args: [removal] }) as Promise<number>;
  }

  verify(mark?: LedgerMark): Promise<LedgerVerification> {
    return this.ask({ method: 'verify', args: [mark] }) as Promise<LedgerVerification>;
  }

  async close(): Promise<void> {
    const { thread } = this;
    this.thread = null;
    this.rejectAll();
    if (thread) await endThread(thread);
  }

  private ask(task: LedgerTask): Promise<unknown> {
    const { worker } = (this.thread ??= this.start());
    const id = this.nextId++;
    // A process that waits for its last line must not end before.
    worker.ref();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
  }

  private start(): GatedThread {
    const thread = startThread('ledger-worker.cjs', { file: this.file, keys: this.keys });
    thread.worker.on('message', (response: LedgerResponse) => this.settle(thread, response));
    thread.worker.on('error', (error) => this.lose(thread, error));
    thread.worker.on('exit', () => this.lose(thread));
    return thread;
  }

  private settle({ worker }: GatedThread, response: LedgerResponse): void {
    const asked = this.waiting.get(response.id);
    this.waiting.delete(response.id);
    if (this.waiting.size === 0) worker.unref();
    if ('error' in response) asked?.reject(fromPlain(response.error));
    else asked?.resolve(response.value);
  }

  private lose(thread: GatedThread, cause?: unknown): void {
    if (this.thread !== thread) return;
    this.thread = null;
    this.rejectAll(cause);
  }

  private rejectAll(cause?: unknown): void {
    for (const { reject } of this.waiting.values()) reject(threadLost(cause));
    this.waiting.clear();
  }
}
