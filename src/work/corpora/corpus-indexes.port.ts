import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { IndexRequest, IndexRunReport, IndexRunWatch } from '../../core/ports/index-runs.port.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';

/** The open index and graph of one corpus. */
export interface CorpusEngines {
  readonly index: SectionIndex;
  /** Null if the graph is switched off. */
  readonly graph: GraphStore | null;
}

/** The indexes of named corpora, by id. */
export abstract class CorpusIndexes {
  /** True while this server builds one. */
  abstract readonly isBuilding: boolean;
  /**
   * Builds a new index, in a process of its own. If it fails or is cancelled, nothing is left.
   * @throws BackendUnavailableError, also `index_busy` while this server builds another one; InvalidArgumentError
   */
  abstract build(id: string, request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport>;
  /** Calls a function with an index, which stays open meanwhile. @throws BackendUnavailableError `corpora_busy` */
  abstract use<T>(id: string, work: (engines: CorpusEngines) => Promise<T>): Promise<T>;
  /** Ids of indexes on the disk that were last written before a time, in milliseconds since the epoch. */
  abstract writtenBefore(time: number): Promise<string[]>;
  abstract remove(id: string): Promise<void>;
  abstract close(): Promise<void>;
}
