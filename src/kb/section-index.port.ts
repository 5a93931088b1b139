import type { Scope } from '../scope/scope.js';
import type { DocumentFacts, Section } from './section.js';

/** What a search is restricted to, beyond the scope. */
export interface SectionFilter {
  readonly docTags: readonly string[] | null;
  /** Start of a document's path, not encoded. */
  readonly pathPrefix: string | null;
  /** ISO-8601; only documents updated at or after it. */
  readonly updatedAfter: string | null;
}

/** One question, as terms. */
export interface SectionQuery {
  /** Distinct search terms; none yields no candidates. */
  readonly terms: readonly string[];
  readonly scope: Scope;
  readonly filter: SectionFilter;
  /** Most candidates to return, 1 to 1,000. */
  readonly limit: number;
  /** Most of them from one document; more are fetched first, so that few documents don't empty the list. */
  readonly perDocument: number;
}

/** A section that matched, with the score of each signal that found it. */
export interface Candidate {
  readonly section: Section;
  readonly document: DocumentFacts;
  /** Okapi BM25 over title, headings, path and body; higher is better, comparable within one index generation. */
  readonly lexical: number;
}

/** The answer of one read transaction. */
export interface SearchAnswer {
  /** Names the published state that answered; changes with every publish. */
  readonly generation: string;
  /** Best first; ties by section id. */
  readonly candidates: readonly Candidate[];
  /** Sections that were ranked, before any were left out. */
  readonly matched: number;
  /** Sections that were left out, by reason. */
  readonly dropped: { readonly sameDocument: number };
  /** Sections of the whole index, for inverse document frequencies. */
  readonly sectionCount: number;
  /** In how many sections each asked term occurs. */
  readonly documentFrequency: Readonly<Record<string, number>>;
}

/** What an index says of itself. */
export interface IndexStamp {
  readonly generation: string;
  readonly projectId: string;
  readonly environment: string;
  /** ISO-8601, UTC: when this generation was published. */
  readonly indexedAt: string;
}

/** A value that documents carry, and how many carry it. */
export interface FacetCount {
  readonly value: string;
  readonly documents: number;
  readonly sections: number;
}

/** What lies within a scope. */
export interface IndexFacts extends IndexStamp {
  readonly documents: number;
  readonly sections: number;
  /** Size of the index on disk, in bytes. */
  readonly bytes: number;
  /** Most sections first, ties by value; at most `facetLimit`. */
  readonly docTags: readonly FacetCount[];
  readonly repositories: readonly FacetCount[];
  /** Titles of the documents with most sections; at most `facetLimit`. */
  readonly titles: readonly string[];
}

/**
 * Sections that can be asked for. Every method is one read transaction on one generation.
 * @throws BackendUnavailableError `index_missing` or `index_incompatible`
 */
export abstract class SectionIndex {
  abstract stamp(): Promise<IndexStamp>;
  abstract search(query: SectionQuery): Promise<SearchAnswer>;
  abstract facts(scope: Scope, facetLimit: number): Promise<IndexFacts>;
  /** Drains what is under way, then lets go of the engine. */
  abstract close(): Promise<void>;
}
