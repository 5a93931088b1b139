import type { CorpusDeclaration } from '../core/corpus-declaration.js';
import type { EntityType } from '../core/graph-model.js';
import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import type { IndexStamp } from '../core/ports/index-facts.js';
import type { DocumentFacts, Section } from '../core/section.js';
import type { Acronym } from '../text/find-acronyms.js';
import type { FieldTerms } from '../text/terms/section-terms.js';

/** Increment when the same file gives different sections, structure or ids; an index with another version is rebuilt. */
export const SECTIONING_VERSION = 8;

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

/** The facts about a document that the graph stores. */
export type GraphDocument = Pick<DocumentFacts, 'path' | 'title' | 'docTag' | 'repository'>;

/** A heading or a section in the graph; ids as in `GraphNode`. */
export interface BuiltPlace {
  readonly id: string;
  readonly document: string;
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
}

export interface BuiltStep {
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

/** The computed graph; each list has a fixed order. */
export interface BuiltGraph {
  /** Approximate number of nodes and relations. */
  readonly size: number;
  readonly documents: () => Iterable<GraphDocument>;
  /** Grouped by document, in reading order. */
  readonly places: () => Iterable<BuiltPlace>;
  readonly steps: () => Iterable<BuiltStep>;
  /** Grouped by document. */
  readonly links: () => Iterable<BuiltLink>;
  /** Grouped by entity, then by place. */
  readonly mentions: () => Iterable<BuiltMention>;
  readonly concepts: () => Iterable<BuiltConcept>;
  readonly owners: () => Iterable<BuiltOwner>;
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
  /** Sorted by path. */
  readonly documents: () => Iterable<BuiltDocument>;
  /** Every term with the number of sections that contain it, sorted by term. */
  readonly vocabulary: () => Iterable<readonly [term: string, sections: number]>;
  readonly graph: BuiltGraph;
}

export interface MirrorProgress {
  /** `qdrant` or `neo4j`. */
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
  /** Checks that the engine can be reached and written, before a run that may take hours. */
  abstract check(): Promise<void>;
  /** Writes a generation that readers don't see yet. Fast if it already exists. Repairs an interrupted run. */
  abstract fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled>;
  abstract close(): Promise<void>;
}
