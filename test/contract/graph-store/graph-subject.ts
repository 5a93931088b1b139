import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import type { GraphStore } from '../../../src/core/ports/graph-store.port.js';
import type { PublishReport } from '../../../src/core/ports/index-writer.port.js';

/** A graph of one adapter that a test can fill, damage and read. */
export interface GraphStoreSubject {
  /** Reads it; stays open until the subject is disposed. */
  readonly graph: GraphStore;
  /** Publishes exactly these documents as the next generation. */
  readonly publish: (...documents: readonly IndexedDocument[]) => Promise<PublishReport>;
  /** Stages documents, as a run that was killed before it published. */
  readonly stageOnly: (...documents: readonly IndexedDocument[]) => Promise<void>;
  /** Publishes the documents as a new graph and opens it; closed with the subject. */
  readonly buildElsewhere: (...documents: readonly IndexedDocument[]) => Promise<{
    readonly graph: GraphStore;
    readonly report: PublishReport;
  }>;
  /** Changes its version to an unknown one. */
  readonly ageIdentity: () => void | Promise<void>;
  /** Deletes the index. */
  readonly remove: () => void | Promise<void>;
  readonly dispose: () => Promise<void>;
}
