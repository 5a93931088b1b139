import type { Scope } from '../scope.js';
import type { QueryWord } from '../../text/search-terms.js';
import type { CorpusFacts } from '../corpus-facts.js';
import type { DocumentFacts, Section } from '../section.js';

/** What a search is restricted to, beyond the scope. An empty list matches nothing. */
export interface SectionFilter {
  readonly docTags: readonly string[] | null;
  /** Start of a document's path, not encoded. */
  readonly pathPrefix: string | null;
  /** ISO-8601; only documents updated at or after it. */
  readonly updatedAfter: string | null;
  /** Only documents with these paths, not encoded; at most 64. */
  readonly paths?: readonly string[];
  /** Only these sections; at most 50. */
  readonly sectionIds?: readonly string[];
  /** Only documents that have this value, for every key. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What is asked for, as the query was read. */
export interface AskedWords {
  /** Distinct, in order of appearance; none yields no candidates. */
  readonly words: readonly QueryWord[];
  /** Terms of what is quoted, two or more each: sections that hold them in this order score higher. */
  readonly phrases: readonly (readonly string[])[];
  /** Terms that may be read as the nearest term of the index where it does not hold them. */
  readonly correctable: readonly string[];
  /** As written; what the documents say that they stand for is asked for, too. */
  readonly acronyms: readonly string[];
}

/** A term that was read as another one, or as several. */
export interface Rewrite {
  readonly from: string;
  readonly to: string;
  readonly why: 'misspelt' | 'acronym';
}

/** Which signals rank: words, the vectors of an embedder, or both. */
export type RankedBy = 'lexical' | 'vector' | 'both';

/** No restriction. */
export const NO_FILTER: SectionFilter = { docTags: null, pathPrefix: null, updatedAfter: null };

/** One question, as terms. */
export interface SectionQuery {
  /** As written, for a model to read. */
  readonly text: string;
  /** What a model made of the text, of length 1; set by what stands round an index with a model, by nobody else. */
  readonly vector?: Float32Array;
  readonly asked: AskedWords;
  /** Where the index has no vectors, words rank alone. */
  readonly rankedBy: RankedBy;
  readonly scope: Scope;
  readonly filter: SectionFilter;
  /** Most candidates to return, 1 to 1,000. */
  readonly limit: number;
  /** Most of them from one document; more are fetched first, so that few documents don't empty the list. */
  readonly perDocument: number;
  /** Where so few documents match that this leaves fewer candidates, more are taken of each; 0 by default. */
  readonly fillTo?: number;
  /** Whether to tell of every row that matched what became of it, for operators; costs a look at all of them. */
  readonly explain?: boolean;
}

/** A section that matched, with the score of each signal that found it. */
export interface Candidate {
  readonly section: Section;
  readonly document: DocumentFacts;
  /** What the order goes by, 0 or more; comparable within one answer. */
  readonly score: number;
  /** Okapi BM25 over title, headings, path and body; higher is better, comparable within one index generation. */
  readonly lexical: number;
  /** Cosine of the angle between the question's vector and the section's; null where vectors did not rank. */
  readonly vector: number | null;
  /** What each signal adds to the score, by its name; together they are the score, to four places. */
  readonly shares: Readonly<Record<string, number>>;
  /** Whether its vector alone found it: it holds no word of the question. */
  readonly recalled?: boolean;
  /** What a reranker said of it, 0 to 1; undefined where none read it. */
  readonly rerank?: number;
}

/** A row that matched, and what became of it. */
export interface ExplainedHit extends Pick<Candidate, 'score' | 'lexical' | 'vector' | 'shares' | 'rerank'> {
  readonly sectionId: string;
  readonly docTag: string;
  readonly fate: 'candidate' | 'same_document' | 'near_duplicate' | 'below_list';
  /** The section that stands for it; null where none does. */
  readonly instead: string | null;
}

/** Milliseconds that the stages of a search took. */
export interface SearchTimings {
  /** Matching and weighing words. */
  readonly lexical: number;
  /** Comparing vectors. */
  readonly vector: number;
  /** Adding signals up, dropping repetitions and reading texts. */
  readonly fusion: number;
}

/**
 * Whether the same section under several values of a key is one: `true` always, `false` never, `null` and keys that are
 * not there where the texts are much alike.
 */
export type CollapseRules = Readonly<Record<string, boolean | null>>;

/** The answer of one read transaction. */
export interface SearchAnswer {
  /** Names the published state that answered; changes with every publish. */
  readonly generation: string;
  /** Best first; ties by section id. */
  readonly candidates: readonly Candidate[];
  /** Sections that were ranked, before any were left out. */
  readonly matched: number;
  /** Sections that were left out, by reason. */
  readonly dropped: { readonly sameDocument: number; readonly nearDuplicate: number };
  /** Sections of the whole index, for inverse document frequencies. */
  readonly sectionCount: number;
  /** The terms that the words were read as, distinct. */
  readonly terms: readonly string[];
  /** In how many sections of the index each of these terms occurs; 0 where no visible one holds it. */
  readonly documentFrequency: Readonly<Record<string, number>>;
  readonly rewrites: readonly Rewrite[];
  /** What candidates were told apart by. */
  readonly collapse: CollapseRules;
  readonly timings: SearchTimings;
  /** Milliseconds that a model took to read the best ones again; undefined where none does. */
  readonly rerankMs?: number;
  /** How the signals became one score, and what each weighs. */
  readonly fusion: { readonly method: string; readonly params: Readonly<Record<string, number>> };
  /** Legs that could not take part, such as `vector` where a model is down. */
  readonly degraded?: readonly string[];
  /** Every row that matched, in the order of scores, at most 1,000; only where `explain` was asked for. */
  readonly hits?: readonly ExplainedHit[];
}

/** A section as it is stored, with its document. */
export interface StoredSection {
  readonly section: Section;
  readonly document: DocumentFacts;
}

export interface StoredSections {
  readonly generation: string;
  readonly sections: readonly StoredSection[];
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

/** A section among those around it, in reading order. */
export interface SectionNeighbours {
  readonly generation: string;
  readonly document: DocumentFacts;
  /** `position` is the place in the document, from 1. */
  readonly sections: readonly { readonly section: Section; readonly position: number }[];
  /** Sections of the document. */
  readonly total: number;
  /** Where in `sections` the one lies that was asked for. */
  readonly target: number;
}

/** A page of documents. */
export interface ListedDocuments {
  readonly generation: string;
  /** By path. */
  readonly documents: readonly DocumentFacts[];
}

/**
 * Sections that can be asked for. Every method is one read transaction on one generation.
 * @throws BackendUnavailableError `index_missing` or `index_incompatible`
 */
export abstract class SectionIndex {
  abstract stamp(): Promise<IndexStamp>;
  abstract search(query: SectionQuery): Promise<SearchAnswer>;
  /**
   * Sections by id, in the order asked for, each once; unknown and invisible ones are left out. A document's path alone
   * is the id of its first section.
   */
  abstract sections(scope: Scope, ids: readonly string[]): Promise<StoredSections>;
  /**
   * A section with those before and after it in its document. A document's path alone is the id of its first section.
   * @param context  most on either side, 0 to 5
   * @returns null when it is unknown or invisible
   */
  abstract neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null>;
  abstract facts(scope: Scope, facetLimit: number): Promise<IndexFacts>;
  /** Cheap after the first call for a generation and scope. */
  abstract corpus(scope: Scope): Promise<CorpusFacts>;
  /** Visible documents with text, by path. @param offset  how many of them to pass over */
  abstract documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments>;
  /**
   * Documents that the manifest offers whole, by path.
   * @param after  the last path that is known already; null for the start
   */
  abstract resources(scope: Scope, after: string | null, limit: number): Promise<ListedDocuments>;
  /** All sections of one of them in reading order; null when it is unknown, invisible or not offered. */
  abstract resource(scope: Scope, path: string): Promise<StoredSections | null>;
  /** Drains what is under way, then lets go of the engine. */
  abstract close(): Promise<void>;
}
