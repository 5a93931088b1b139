/** Indices of the shared cells: number of calls inside native code, and state of the gate. */
const INSIDE = 0;
const SHUT = 1;

/** States of the gate (0 is open): only calls that release resources may enter, or no calls at all. */
const ENDING = 1;
const ENDED = 2;

/**
 * Counts calls into native code. When a process exits, Node ends its threads and aborts (SIGABRT) if one is inside a
 * native addon, because the addon's next call into JavaScript fails. So threads enter native code through this gate,
 * and the process waits until all have left.
 */
export class NativeGate {
  constructor(readonly cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {}

  /** In the thread: runs native code. @throws Error when the thread is ending */
  run<T>(work: () => T): T {
    return this.through(work, ENDING);
  }

  /** In the thread: runs native code that releases resources; an ending thread may still do this. */
  release<T>(work: () => T): T {
    return this.through(work, ENDED);
  }

  /** In the thread: runs asynchronous native code. */
  async runAsync<T>(work: () => Promise<T>): Promise<T> {
    this.enter(ENDING);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** In the owner: lets the running call finish; later calls may only release resources. */
  close(): void {
    Atomics.store(this.cells, SHUT, ENDING);
  }

  /** In the owner: closes the gate and waits until the thread has left native code. @returns false on timeout */
  shut(limitMs: number): boolean {
    Atomics.store(this.cells, SHUT, ENDED);
    const until = performance.now() + limitMs;
    for (;;) {
      const inside = Atomics.load(this.cells, INSIDE);
      if (inside === 0) return true;
      if (Atomics.wait(this.cells, INSIDE, inside, until - performance.now()) === 'timed-out') return false;
    }
  }

  private through<T>(work: () => T, shut: number): T {
    this.enter(shut);
    try {
      return work();
    } finally {
      this.leave();
    }
  }

  // Order matters: the thread counts itself, then reads the state; the owner sets the state, then reads the count.
  private enter(shut: number): void {
    Atomics.add(this.cells, INSIDE, 1);
    if (Atomics.load(this.cells, SHUT) < shut) return;
    this.leave();
    throw new Error('The thread is ending.');
  }

  private leave(): void {
    Atomics.sub(this.cells, INSIDE, 1);
    Atomics.notify(this.cells, INSIDE);
  }
}
