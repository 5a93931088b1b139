import { BUILT_IN_PROVIDER, MemoryStore } from '../../../core/ports/memory-store.port.js';
import type { MemoryAnswer, MemoryQuery } from '../../../core/ports/memory-store.port.js';
import type { Embedder } from '../../../core/ports/embedder.port.js';
import { IndexFile } from '../index-file.js';
import { SqliteMemoryReader } from './sqlite-memory-reader.js';

/** Memory read on the calling thread: for the command line and tests, where nobody else waits. */
export class InProcessMemoryStore extends MemoryStore {
  private readonly file: IndexFile;
  private readonly reader: SqliteMemoryReader;

  /** @param provider  what questions are embedded with; by any but the built-in one they come embedded */
  constructor(
    path: string,
    embedder: Embedder,
    private readonly provider = BUILT_IN_PROVIDER,
  ) {
    super();
    this.file = new IndexFile(path, embedder.profile);
    this.reader = new SqliteMemoryReader(this.file, embedder);
  }

  async candidates(query: MemoryQuery): Promise<MemoryAnswer> {
    return this.reader.candidates(query, this.provider);
  }

  async close(): Promise<void> {
    this.file.close();
  }
}
