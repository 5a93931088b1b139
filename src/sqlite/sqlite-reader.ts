import type { Embedder } from '../core/ports/embedder.port.js';
import { SqliteGraphReader } from './graph/sqlite-graph-reader.js';
import { SqliteIndexReader } from './index/sqlite-index-reader.js';
import { IndexFile } from './index-file.js';
import { embedderNamed } from './latent/embedder-named.js';
import { SqliteMemoryReader } from './memory/sqlite-memory-reader.js';
import type { PortReaders, ReaderTask, TaskRunner } from './reader-ports.js';

type Method = (...args: readonly unknown[]) => unknown;

/** Reads an index file in the calling thread. The command line uses it directly; servers run it in a worker thread. */
export class SqliteReader implements TaskRunner {
  private readonly file: IndexFile;
  private readonly readers: PortReaders;

  constructor(path: string, embedder: Embedder) {
    this.file = new IndexFile(path, embedder.profile);
    this.readers = {
      sections: new SqliteIndexReader(this.file, embedder),
      graph: new SqliteGraphReader(this.file),
      // Memory uses the built-in embedder unless questions arrive embedded by a model.
      memory: new SqliteMemoryReader(this.file, embedderNamed('lsa')),
    };
  }

  run({ port, method, args }: ReaderTask): unknown {
    // Safe because only `portOf` makes tasks, with arguments that the compiler has checked.
    const reader = this.readers[port] as unknown as Readonly<Record<string, Method>>;
    const answer = reader[method];
    if (!answer) throw new Error(`the reader of ${port} has no method ${method}`);
    return answer.apply(reader, [...args]);
  }

  async ask(task: ReaderTask): Promise<unknown> {
    return this.run(task);
  }

  async close(): Promise<void> {
    this.file.close();
  }
}
