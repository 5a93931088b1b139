import type { CorpusDeclaration } from '../corpus-declaration.js';
import type { GroupLists } from '../document-groups.js';
import type { IndexedDocument, Remark } from '../indexed-document.js';

export interface IndexSettings {
  readonly projectId: string;
  readonly environment: string;
  /** The source of the documents, as `readSourceLine` reads it: absolute path of the indexed folder, or a manifest. */
  readonly root: string;
  readonly siteUrls: readonly string[];
  /** Names of the repositories that are not trusted, sorted. Default: none. */
  readonly untrusted?: readonly string[];
  readonly corpus: CorpusDeclaration;
  /** Default: everybody may see documents that do not name groups themselves. */
  readonly groupRules?: GroupRules;
}

/** The groups that the settings of a corpus give documents, besides those that documents name themselves. */
export interface GroupRules {
  /** False if no document has such a list. */
  readonly isUsed: boolean;
  readonly listsFor: (path: string) => GroupLists;
  /**
   * True if a stored list of a document counts too. Only an empty one is of settings that could not be read.
   * @param staysAsItWas  true for a document that is not read anew, since its source has lost pages
   */
  readonly keepsStored: (path: string, list: readonly string[], staysAsItWas: boolean) => boolean;
}

/** A file as the last run found it. */
export interface SeenFile {
  /** Compared with that of the next run. */
  readonly stamp: string;
  /** Hash of the document. */
  readonly hash: string;
  /** Remarks on the document, which every run reports. */
  readonly remarks: readonly Remark[];
}

/** The state of the index at the start of a run. */
export interface WriterState {
  /** The source of the published index (`IndexSettings.root`); null if nothing was published. */
  readonly root: string | null;
  /** Path to hash of every published document; empty if the index is new or is rebuilt. */
  readonly published: ReadonlyMap<string, string>;
  /** The same of the index that is rebuilt, whose documents can't stay as they are. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Path to hash of documents that an earlier, interrupted run has staged. */
  readonly staged: ReadonlyMap<string, string>;
  /** By path; empty if the index is new or is rebuilt. */
  readonly seen: ReadonlyMap<string, SeenFile>;
  /** Reason for a rebuild from scratch, for users; null without a rebuild. */
  readonly rebuildReason: string | null;
}

export interface PublishReport {
  readonly generation: string;
  readonly documents: number;
  readonly sections: number;
  readonly removed: number;
  /** Number of documents that only some groups may see. */
  readonly limited: number;
  readonly graph: GraphReport;
  /** Sorted by key. */
  readonly taxonomy: readonly CountedKey[];
}

/** A taxonomy key with its number of distinct values. */
export interface CountedKey {
  readonly key: string;
  readonly values: number;
}

export interface PublishStep {
  readonly name: string;
  /** Number of steps before it. */
  readonly done: number;
  readonly total: number;
}

/** Called before each step. The event loop turns between steps, so that signals are handled. */
export type OnStep = (step: PublishStep) => void;

/** The size of the graph, and its unresolved links. */
export interface GraphReport {
  /** Count by label. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Count by relation. */
  readonly edges: Readonly<Record<string, number>>;
  /** Number of links to pages of the index, as written. */
  readonly links: number;
  /** Number of links that look like links within the index, but whose page or heading doesn't exist. */
  readonly unresolved: number;
  /** Number of links in a syntax that was not understood, by the syntax; most links first. */
  readonly unread: Readonly<Record<string, number>>;
  /** The first unresolved links by document, as `PATH: HREF`; at most 20. */
  readonly examples: readonly string[];
}

/**
 * Writes one index. `stage` is resumable: `begin` finds the documents that an interrupted run has staged.
 * Readers see nothing before `publish`, and then the whole generation at once.
 */
export abstract class IndexWriter {
  /** @throws BackendUnavailableError `index_busy`, `index_read_only`; InvalidArgumentError `project_mismatch` */
  abstract begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState>;
  /** The state as `begin` finds it, but of the published index alone; changes nothing, and does not wait for another writer. */
  abstract peek(settings: IndexSettings): Promise<WriterState>;
  abstract stage(documents: readonly IndexedDocument[]): Promise<void>;
  /** @param present  path and hash of every document to publish; others are removed */
  abstract publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport>;
  /** Keeps the files of this run for the next one; readers see no change. */
  abstract keepSeen(seen: ReadonlyMap<string, SeenFile>): Promise<void>;
  abstract close(): Promise<void>;
}
