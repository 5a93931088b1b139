import type { CorpusDeclaration } from '../corpus-declaration.js';
import type { IndexedDocument } from '../indexed-document.js';

/** What the index is about; kept in it. */
export interface IndexSettings {
  readonly projectId: string;
  readonly environment: string;
  /** Absolute path of the indexed folder. */
  readonly root: string;
  readonly siteUrls: readonly string[];
  readonly corpus: CorpusDeclaration;
}

/** What a run starts from. */
export interface WriterState {
  /** Path to hash of every published document; empty when the index is new or is rebuilt. */
  readonly published: ReadonlyMap<string, string>;
  /** Path to hash of what an earlier, killed run had staged. */
  readonly staged: ReadonlyMap<string, string>;
  /** Why the index is built from nothing, in words for people; null when it is not. */
  readonly rebuildReason: string | null;
}

export interface PublishReport {
  readonly generation: string;
  readonly documents: number;
  readonly sections: number;
  readonly removed: number;
  readonly graph: GraphReport;
  /** By key: in how many values documents differ. */
  readonly taxonomy: readonly CountedKey[];
}

/** A key of the taxonomy. */
export interface CountedKey {
  readonly key: string;
  readonly values: number;
}

/** A step of a publish that begins. */
export interface PublishStep {
  /** What is being written, for people. */
  readonly name: string;
  /** Steps before it. */
  readonly done: number;
  readonly total: number;
}

/** Called before each step; the event loop turns in between, so that signals arrive. */
export type OnStep = (step: PublishStep) => void;

/** How much the graph holds, and what leads nowhere. */
export interface GraphReport {
  /** By label. */
  readonly nodes: Readonly<Record<string, number>>;
  /** By relation. */
  readonly edges: Readonly<Record<string, number>>;
  /** Links to pages of the index, as written. */
  readonly links: number;
  /** Links to pages or headings that are not in the index, though they look as if they were. */
  readonly unresolved: number;
  /** The first of them by document, `PATH: HREF`; at most 20. */
  readonly examples: readonly string[];
}

/**
 * Writes one index. `stage` is resumable: what a killed run staged is found again by `begin`.
 * Readers see nothing of it before `publish`, and then all of it at once.
 */
export abstract class IndexWriter {
  /** @throws BackendUnavailableError `index_busy`, `index_read_only`; InvalidArgumentError `project_mismatch` */
  abstract begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState>;
  abstract stage(documents: readonly IndexedDocument[]): Promise<void>;
  /** @param present  path and hash of every document that the index shall hold; others are removed */
  abstract publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport>;
  abstract close(): Promise<void>;
}
