import type { Embedder } from '../core/ports/embedder.port.js';
import type { GraphStore } from '../core/ports/graph-store.port.js';
import type { MemoryStore } from '../core/ports/memory-store.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import { SqliteGraphReader } from './graph/sqlite-graph-reader.js';
import { SqliteIndexReader } from './index/sqlite-index-reader.js';
import { IndexFile } from './index-file.js';
import { embedderNamed } from './latent/embedder-named.js';
import { SqliteMemoryReader } from './memory/sqlite-memory-reader.js';

type Method = (...args: readonly unknown[]) => unknown;

/** The ports that an index file answers. */
interface ReaderPorts {
  readonly sections: SectionIndex;
  readonly graph: GraphStore;
  readonly memory: MemoryStore;
}
type PortName = keyof ReaderPorts;

/** The methods of a port that read, answered synchronously. */
export type Synchronous<Port> = {
  readonly [Method in Exclude<keyof Port, 'close'>]: Port[Method] extends (
    ...args: infer Args
  ) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never;
};

/** One synchronous reader for each port. */
export type PortReaders = { readonly [Port in PortName]: Synchronous<ReaderPorts[Port]> };

/** A call of a port's method, as data. */
export interface ReaderTask {
  readonly port: PortName;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Runs tasks, in this thread or in another one. */
export interface TaskRunner {
  ask(task: ReaderTask): Promise<unknown>;
  close(): Promise<void>;
}

/** Abstract methods do not exist at run time. The compiler rejects this table if it misses one. */
const METHODS: { readonly [Port in PortName]: Readonly<Record<keyof PortReaders[Port], true>> } = {
  sections: {
    stamp: true,
    search: true,
    sections: true,
    quoting: true,
    neighbours: true,
    facts: true,
    corpus: true,
    documents: true,
    resources: true,
    resource: true,
  },
  graph: { describe: true, walk: true, expand: true, bridges: true },
  memory: { candidates: true },
};

/**
 * A port that sends each call to a runner as a task. The work is done by SqliteIndexReader (sections),
 * SqliteGraphReader (graph) and SqliteMemoryReader (memory).
 */
export function makePort<Port extends PortName>(port: Port, runner: TaskRunner): ReaderPorts[Port] {
  const methods = Object.keys(METHODS[port]).map((method) => [
    method,
    (...args: readonly unknown[]) => runner.ask({ port, method, args }),
  ]);
  // Safe because METHODS has every method of the port, and `SqliteReader.run` calls the reader's method of the same name.
  return { ...Object.fromEntries(methods), close: () => runner.close() } as ReaderPorts[Port];
}

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
    // Safe because only `makePort` makes tasks, with arguments that the compiler has checked.
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
