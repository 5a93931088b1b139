/** The cells that a thread and its owner share. */
const INSIDE = 0;
const SHUT = 1;

/** How far a gate is shut: native code may be entered, may be entered to let go of things only, or not at all. */
const ENDING = 1;
const ENDED = 2;

/**
 * Node ends the threads of a process that exits, and aborts (SIGABRT) if one of them is inside a native addon: the
 * addon's next call into JavaScript fails. So threads enter native code through a gate, and the process exits when they
 * are outside.
 */
export class NativeGate {
  constructor(readonly cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))) {}

  /** In the thread: runs native code. @throws when the thread is to end */
  run<T>(work: () => T): T {
    return this.through(work, ENDING);
  }

  /** In the thread: runs native code that lets go of something, which an ending thread may still do. */
  release<T>(work: () => T): T {
    return this.through(work, ENDED);
  }

  /** In the thread: runs native code that answers later. */
  async runAsync<T>(work: () => Promise<T>): Promise<T> {
    this.enter(ENDING);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** In the owner: lets the thread finish what it is in, and enter nothing but to let go. */
  close(): void {
    Atomics.store(this.cells, SHUT, ENDING);
  }

  /** In the owner: waits until the thread is outside, for good. @returns whether it is */
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

  // Counted before the look at the gate: the owner shuts it before it looks at the count.
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
