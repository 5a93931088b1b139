import type { CorpusDeclaration } from '../core/corpus-declaration.js';
import type { EntityType } from '../core/graph-model.js';
import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import type { IndexStamp } from '../core/ports/index-facts.js';
import type { DocumentFacts, Section } from '../core/section.js';
import type { Acronym } from '../text/find-acronyms.js';
import type { FieldTerms } from '../text/terms/section-terms.js';

/** Increment when the same file gives different sections, structure or ids; an index with another version is rebuilt. */
export const SECTIONING_VERSION = 11;

export interface BuiltSection {
  readonly section: Section;
  /** Terms by field, in order, with repeats. Computed on demand, since most sections don't change between runs. */
  readonly terms: () => FieldTerms;
  readonly acronyms: readonly Acronym[];
  /** Packed; null if the index has no vectors. */
  readonly vector: Uint8Array | null;
}

export interface BuiltDocument {
  readonly facts: DocumentFacts;
  /** Hash of the bytes, the manifest rules and the titles above, that is, of everything that determines its sections. */
  readonly hash: string;
  /** True when the manifest declares it as a resource. */
  readonly isOffered: boolean;
  readonly sections: readonly BuiltSection[];
}

/** The document of a node, by which scopes select it. */
export type GraphHome = Pick<DocumentFacts, 'path' | 'docTag' | 'repository' | 'allow'>;

/** A document in the graph. Links are counted by source and relation, those from itself included. */
export interface GraphDocument extends GraphHome {
  readonly title: string;
  /** Links from places to it or to a place in it. */
  readonly fromPlaces: number;
  /** The same links, by document. */
  readonly fromDocuments: number;
}

/** A heading or a section in the graph; ids as in `GraphNode`. */
export interface BuiltPlace extends GraphHome {
  readonly id: string;
  readonly position: number;
  /** Id of the heading above; null directly below the document. */
  readonly parent: string | null;
  readonly level: number;
  readonly title: string;
  readonly anchor: string | null;
  /** True when it has text of its own. */
  readonly isSection: boolean;
  /** Estimated tokens of that text; 0 without text. */
  readonly tokens: number;
  /** Start of that text, as in `GraphNode`; null without text. */
  readonly snippet: string | null;
  /** Links from places to it, by source and relation. */
  readonly fromPlaces: number;
}

export interface BuiltStep extends GraphHome {
  readonly place: string;
  readonly number: number;
  readonly title: string;
}

export interface BuiltLink {
  readonly place: string;
  readonly document: string;
  readonly relation: 'REFERENCES' | 'RELATED_TO';
  readonly targetDocument: string;
  readonly targetPlace: string | null;
}

export interface BuiltMention {
  readonly entity: string;
  readonly place: string;
  /** 0: a name in the text; 1: a title that the text mentions; 2: the place below such a title. */
  readonly source: 0 | 1 | 2;
  readonly type: EntityType;
  readonly name: string;
  readonly count: number;
  readonly isDefined: boolean;
}

/** A heading title that is also an entity. */
export interface BuiltConcept {
  readonly entity: string;
  /** Number of places with this title. */
  readonly homes: number;
  readonly mentionedBy: number;
}

export interface BuiltOwner {
  readonly entity: string;
  readonly document: string;
  readonly place: string | null;
}

/** A run that published an index. */
export type PublishedRun = Pick<IndexStamp, 'generation' | 'indexedAt'>;

/** A part of a graph. */
export interface GraphPart {
  /** Paths of documents; those that the graph no longer has are deleted. */
  readonly documents: readonly string[];
  /** Keys of entities, likewise. */
  readonly entities: readonly string[];
}

/** The part of a graph that may differ from an earlier generation. */
interface ChangedGraph extends GraphPart {
  /** Some of these documents and entities, and the relations that start at them. */
  readonly graph: (part: GraphPart) => BuiltGraph;
}

/** The computed graph, or a part of it; each list has a fixed order. */
export interface BuiltGraph {
  /** Approximate number of nodes and relations. */
  readonly size: number;
  readonly documents: () => Iterable<GraphDocument>;
  /** Grouped by document, in reading order. */
  readonly places: () => Iterable<BuiltPlace>;
  readonly steps: () => Iterable<BuiltStep>;
  /** Grouped by document. */
  readonly links: () => Iterable<BuiltLink>;
  /** In the documents of this graph; grouped by entity, then by place. */
  readonly mentions: () => Iterable<BuiltMention>;
  /** Of the entities of this graph, in all documents; grouped alike. */
  readonly entityMentions: () => Iterable<BuiltMention>;
  readonly concepts: () => Iterable<BuiltConcept>;
  /** Documents without places are left out: they can't be looked up. */
  readonly owners: () => Iterable<BuiltOwner>;
  /** The documents that may have changed since a run; null if the index does not know. */
  readonly changedSince: (run: PublishedRun) => ChangedGraph | null;
}

/** One published generation of an index, from which other engines are filled. It does not change meanwhile. */
export interface BuiltIndex {
  readonly stamp: IndexStamp;
  readonly profile: EmbedderProfile;
  readonly declaration: CorpusDeclaration;
  readonly sectionCount: number;
  /** Average number of terms in a section, over all fields; 0 without sections. */
  readonly averageLength: number;
  /** The embedding space; null if the index has none. */
  readonly space: Uint8Array | null;
  /** Size of the texts of all sections. */
  readonly textBytes: () => number;
  /** The acronyms of all sections, sorted. */
  readonly acronyms: () => readonly string[];
  /** Sorted by path; only those with one of the paths, if they are given. */
  readonly documents: (paths?: readonly string[]) => Iterable<BuiltDocument>;
  /** Every term with the number of sections that contain it, sorted by term. */
  readonly vocabulary: () => Iterable<readonly [term: string, sections: number]>;
  readonly graph: BuiltGraph;
}

export interface MirrorProgress {
  /** `qdrant`, `neo4j` or `postgres`. */
  readonly engine: string;
  readonly done: number;
  readonly total: number;
}

/** Switches readers to the new generation, in one step. */
export type ShowFilled = () => Promise<void>;

/** Used when readers already see the generation. */
export const NOTHING_TO_SHOW: ShowFilled = async () => undefined;

/**
 * An engine that serves an index built elsewhere. Readers don't see a generation until it is complete.
 * @throws BackendUnavailableError, DeadlineExceededError, InvalidArgumentError `project_mismatch`
 */
export abstract class IndexMirror {
  abstract readonly engine: string;
  /**
   * Called before a run, which may take hours: checks that the engine can be reached and written. One that stores the index file
   * brings it up to date.
   */
  abstract begin(): Promise<void>;
  /** Writes a generation that readers don't see yet. Fast if it already exists. Repairs an interrupted run. */
  abstract fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled>;
  abstract close(): Promise<void>;
}
