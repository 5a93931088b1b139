import type { CorpusDeclaration } from '../core/corpus-declaration.js';
import type { EntityType } from '../core/graph-model.js';
import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import type { DocumentFacts, Section } from '../core/section.js';
import type { IndexStamp } from '../core/ports/section-index.port.js';
import type { FieldTerms } from '../text/section-terms.js';

/** A short form and what a section says that it stands for. */
export interface FoundAcronym {
  readonly short: string;
  readonly long: string;
}

/** A section with everything that was computed for it. */
export interface BuiltSection {
  readonly section: Section;
  /** Terms by field, with repeats, in order; made when asked for, since most sections of most runs have not changed. */
  readonly terms: () => FieldTerms;
  readonly acronyms: readonly FoundAcronym[];
  /** Packed; null where the index has no vectors. */
  readonly vector: Uint8Array | null;
}

/** A document with its sections, in reading order. */
export interface BuiltDocument {
  readonly facts: DocumentFacts;
  /** Of everything that shapes its sections. */
  readonly hash: string;
  /** Whether the manifest offers it whole. */
  readonly isOffered: boolean;
  readonly sections: readonly BuiltSection[];
}

/** A document as far as the graph tells of it. */
export interface GraphDocument {
  readonly path: string;
  readonly title: string;
  readonly docTag: string;
  readonly repository: string;
}

/** A heading or a section in the graph; ids as `GraphNode` has them. */
export interface BuiltPlace {
  readonly id: string;
  readonly document: string;
  readonly position: number;
  /** Id of the heading above; null right below the document. */
  readonly parent: string | null;
  readonly level: number;
  readonly title: string;
  readonly anchor: string | null;
  /** Whether it has a text of its own. */
  readonly isSection: boolean;
  /** Estimated tokens of that text; 0 where there is none. */
  readonly tokens: number;
  /** Its start, as `GraphNode` has it; null where there is none. */
  readonly snippet: string | null;
}

/** A step of a procedure in a place. */
export interface BuiltStep {
  readonly place: string;
  readonly number: number;
  readonly title: string;
}

/** A link that leads somewhere. */
export interface BuiltLink {
  readonly place: string;
  readonly document: string;
  readonly relation: 'REFERENCES' | 'RELATED_TO';
  readonly targetDocument: string;
  readonly targetPlace: string | null;
}

/** What a place names. */
export interface BuiltMention {
  readonly entity: string;
  readonly place: string;
  /** 0: a name in the text; 1: a title that the text names; 2: the place that such a title stands over. */
  readonly source: 0 | 1 | 2;
  readonly type: EntityType;
  readonly name: string;
  readonly count: number;
  readonly isDefined: boolean;
}

/** A title that is a thing. */
export interface BuiltConcept {
  readonly entity: string;
  /** Places that it stands over. */
  readonly homes: number;
  readonly mentionedBy: number;
}

/** Whom a title belongs to. */
export interface BuiltOwner {
  readonly entity: string;
  readonly document: string;
  readonly place: string | null;
}

/** The graph as it was computed; each list in a fixed order. */
export interface BuiltGraph {
  /** About how many nodes and relations it makes. */
  readonly size: number;
  readonly documents: () => Iterable<GraphDocument>;
  /** Those of a document together, as it has them. */
  readonly places: () => Iterable<BuiltPlace>;
  readonly steps: () => Iterable<BuiltStep>;
  /** Those of a document together. */
  readonly links: () => Iterable<BuiltLink>;
  /** Those of an entity together, and of these those of a place. */
  readonly mentions: () => Iterable<BuiltMention>;
  readonly concepts: () => Iterable<BuiltConcept>;
  readonly owners: () => Iterable<BuiltOwner>;
}

/** A finished index as engines are filled from it: one published generation, which stays as it is meanwhile. */
export interface BuiltIndex {
  readonly stamp: IndexStamp;
  readonly profile: EmbedderProfile;
  readonly declaration: CorpusDeclaration;
  readonly sectionCount: number;
  /** Of a section in terms, over all fields; 0 where there are none. */
  readonly averageLength: number;
  /** The embedding space; null where there is none. */
  readonly space: Uint8Array | null;
  /** By path. */
  readonly documents: () => Iterable<BuiltDocument>;
  /** Every term and in how many sections it occurs, by term. */
  readonly vocabulary: () => Iterable<readonly [term: string, sections: number]>;
  readonly graph: BuiltGraph;
}

/** How far the filling of an engine is. */
export interface MirrorProgress {
  /** `qdrant` or `neo4j`. */
  readonly engine: string;
  readonly done: number;
  readonly total: number;
}

/** Shows readers what was filled, in one step. */
export type ShowFilled = () => Promise<void>;

/** For what readers see already. */
export const NOTHING_TO_SHOW: ShowFilled = async () => undefined;

/**
 * An engine that serves an index built elsewhere. Readers see nothing of a generation before all of it is there.
 * @throws BackendUnavailableError, DeadlineExceededError, InvalidArgumentError `project_mismatch`
 */
export abstract class IndexMirror {
  /** Names the engine, for people. */
  abstract readonly engine: string;
  /** Whether it can be reached and written, before hours of work. */
  abstract check(): Promise<void>;
  /**
   * Fills it with this generation beside what readers see; cheap where they see it already. What a killed run left is
   * made good.
   */
  abstract fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled>;
  abstract close(): Promise<void>;
}
