import { BUILT_IN_PROVIDER, MemoryStore } from '../../../core/ports/memory-store.port.js';
import type { MemoryAnswer, MemoryQuery } from '../../../core/ports/memory-store.port.js';
import type { ReaderThread } from '../reader-thread.js';

/** Memory, read on the thread. */
export class WorkerMemoryStore extends MemoryStore {
  /** @param provider  what questions are embedded with; by any but the built-in one they come embedded */
  constructor(
    private readonly thread: ReaderThread,
    private readonly provider = BUILT_IN_PROVIDER,
  ) {
    super();
  }

  // The thread runs the reader's method of the same name, so what comes back has its type.
  async candidates(query: MemoryQuery): Promise<MemoryAnswer> {
    return (await this.thread.ask({ method: 'candidates', query, provider: this.provider })) as MemoryAnswer;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
