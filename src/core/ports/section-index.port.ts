import type { QueryWord } from '../../text/terms/search-terms.js';
import type { CorpusFacts } from '../corpus-facts.js';
import { type Scope, scopeAllows } from '../scope.js';
import type { DocumentFacts, Section } from '../section.js';
import { decodePath, encodePath, pagePath } from '../section-id.js';
import type { IndexFacts, IndexStamp } from './index-facts.js';

/** Restricts a search further than the scope does. An empty list matches nothing. */
export interface SectionFilter {
  readonly docTags: readonly string[] | null;
  /** Start of document paths, not encoded. */
  readonly pathPrefix: string | null;
  /** ISO-8601; only documents updated at this time or later. */
  readonly updatedAfter: string | null;
  /** Only documents with these paths, not encoded; at most 64. */
  readonly paths?: readonly string[];
  /** Only these sections; at most 50. */
  readonly sectionIds?: readonly string[];
  /** Only documents with these values, for every key. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The subject of a look-up. */
export interface Subject {
  /** One or two, as written: names of an API, flags, settings, errors, files or versions. */
  readonly names: readonly string[];
  /** Terms of the other words that tell something, such as those of `borg create` in "--list of borg create". */
  readonly beside: readonly string[];
}

/** The parsed words of a query. */
export interface AskedWords {
  /** Distinct, in order of appearance; without words there are no candidates. */
  readonly words: readonly QueryWord[];
  /** True if the question is not in English. A word that no section contains may then have another ending. */
  readonly isForeign?: boolean;
  /** True if the question is one word and nothing else. If no section contains it, it is completed. */
  readonly isOneWord?: boolean;
  /** True if lists of changes, news and guides to a next version may answer; else they count less. */
  readonly isAboutChanges?: boolean;
  /** Number of occurrences of each term that the question repeats. */
  readonly times?: ReadonlyMap<string, number>;
  /** Terms of two neighbouring words as one, which are added if too little is found: `maxretri` for "max retries". */
  readonly joined?: readonly string[];
  /** By term of a version, its other spelling, which is added if a section has it: `v33` for 3.3. */
  readonly spellings?: ReadonlyMap<string, string>;
  /** Quoted phrases, of two or more terms: sections that contain them in this order score higher. */
  readonly phrases: readonly (readonly string[])[];
  /** True if words that no section contains may be replaced by their synonyms. */
  readonly takesSynonyms?: boolean;
  /** Terms that are replaced by the nearest indexed term if they are not in the index. */
  readonly correctable: readonly string[];
  /** As written. Their expansions in the documents are searched for as well. */
  readonly acronyms: readonly string[];
  /** The question without keywords, or all that it asks for, in the form of `nameOf`; sections and pages with this title come first. */
  readonly name?: string;
  /** The identifier that is all that the question asks for, as written. Sections that contain it unbroken come first. */
  readonly identifier?: string | null;
  /** Null for a question that is no look-up. Sections that define its names come first. */
  readonly subject?: Subject | null;
}

/** A term that was interpreted as one or several other terms. */
export interface Rewrite {
  readonly from: string;
  readonly to: string;
  readonly why: 'misspelt' | 'inflected' | 'prefix' | 'acronym' | 'synonym';
}

/** The signals used for ranking: words, vectors, or both. */
export type RankedBy = 'lexical' | 'vector' | 'both';

/** No restriction. */
export const NO_FILTER: SectionFilter = { docTags: null, pathPrefix: null, updatedAfter: null };

export interface SectionQuery {
  /** As written, for models. */
  readonly text: string;
  /** Vector of the text, of length 1; set only by the decorator that adds a model to an index. */
  readonly vector?: Float32Array;
  readonly asked: AskedWords;
  /** Without vectors in the index, only words are used. */
  readonly rankedBy: RankedBy;
  readonly scope: Scope;
  readonly filter: SectionFilter;
  /** Largest number of candidates, 1 to 1,000. */
  readonly limit: number;
  /** Largest number of candidates per document. The search over-fetches, so that the list is still filled. */
  readonly perDocument: number;
  /** If fewer candidates than this are left, `perDocument` is relaxed; default 0. */
  readonly fillTo?: number;
  /** True to return the outcome of every matching row, for operators; reads all of them. */
  readonly explain?: boolean;
}

/** A matching section, with the score of each signal. */
export interface Candidate {
  readonly section: Section;
  readonly document: DocumentFacts;
  /** The score that determines the order, 0 or more; comparable within one answer. */
  readonly score: number;
  /** Okapi BM25 over title, headings, path and body; higher is better, comparable within one index generation. */
  readonly lexical: number;
  /** Cosine similarity of question and section; null if vectors were not used. */
  readonly vector: number | null;
  /** Contribution of each signal to the score, by name; their sum is the score, to four decimal places. */
  readonly shares: Readonly<Record<string, number>>;
  /** True when only its vector matched: it contains no word of the question. */
  readonly recalled?: boolean;
  /** Score of the reranker, 0 to 1; undefined if it was not reranked. */
  readonly rerank?: number;
}

/** A matching row and its outcome. */
export interface ExplainedHit extends Pick<Candidate, 'score' | 'lexical' | 'vector' | 'shares' | 'rerank'> {
  readonly sectionId: string;
  readonly docTag: string;
  readonly fate: 'candidate' | 'same_document' | 'near_duplicate' | 'below_list';
  /** The section that replaces it; null if it was not replaced. */
  readonly instead: string | null;
}

/** Milliseconds per stage of a search. */
export interface SearchTimings {
  /** Matching and weighing words. */
  readonly lexical: number;
  /** Comparing vectors. */
  readonly vector: number;
  /** Combining signals, removing duplicates and reading texts. */
  readonly fusion: number;
}

/**
 * Controls by key whether a section that exists under several values counts as one: `true` always, `false` never;
 * `null` and missing keys only if the texts are nearly equal.
 */
export type CollapseRules = Readonly<Record<string, boolean | null>>;

/** The result of a search in one read transaction. */
export interface SearchAnswer {
  /** Id of the published state that was searched; changes with every publish. */
  readonly generation: string;
  /** Best first; ties by section id. */
  readonly candidates: readonly Candidate[];
  /** Number of ranked sections, before any were left out. */
  readonly matched: number;
  /** Number of sections left out, by reason. */
  readonly dropped: { readonly sameDocument: number; readonly nearDuplicate: number };
  /** Number of sections in the whole index, for inverse document frequencies. */
  readonly sectionCount: number;
  /** The distinct terms that were searched for. */
  readonly terms: readonly string[];
  /** Number of sections in the index with each of these terms; 0 if no visible section has it. */
  readonly documentFrequency: Readonly<Record<string, number>>;
  readonly rewrites: readonly Rewrite[];
  /**
   * At most three words that look like terms that no visible section contains, as visible sections write them. If a
   * section contains another term, only words of which a term may be a slip of the pen.
   */
  readonly nearest?: readonly string[];
  readonly collapse: CollapseRules;
  readonly timings: SearchTimings;
  /** Milliseconds of reranking; undefined without a reranker. */
  readonly rerankMs?: number;
  /** The method that combines the signals, and their weights. */
  readonly fusion: { readonly method: string; readonly params: Readonly<Record<string, number>> };
  /** Signals that were unavailable, such as `vector` if a model is down. */
  readonly degraded?: readonly string[];
  /** Every matching row, best first, at most 1,000; only with `explain`. */
  readonly hits?: readonly ExplainedHit[];
}

export interface StoredSection {
  readonly section: Section;
  readonly document: DocumentFacts;
}

export interface StoredSections {
  readonly generation: string;
  readonly sections: readonly StoredSection[];
}

/** A quote to look for. */
export interface SoughtQuote {
  readonly text: string;
  /** The document to look in first, not encoded. */
  readonly path: string;
}

/** The first place of a quote. */
export interface QuotingSection {
  readonly generation: string;
  /** Null if no section was found. */
  readonly found: StoredSection | null;
  /** False if some sections could not be searched: the quote has no word, or only words that very many sections contain. */
  readonly isComplete: boolean;
}

/** A section and its neighbours, in reading order. */
export interface SectionNeighbours {
  readonly generation: string;
  readonly document: DocumentFacts;
  /** `position` is the position in the document, from 1. */
  readonly sections: readonly { readonly section: Section; readonly position: number }[];
  /** Number of sections in the document. */
  readonly total: number;
  /** Index of the requested section in `sections`. */
  readonly target: number;
}

export interface ListedDocuments {
  readonly generation: string;
  /** Sorted by path. */
  readonly documents: readonly DocumentFacts[];
}

export interface OfferedDocuments extends ListedDocuments {
  /** UTF-8 bytes of the texts of each document, without its headings; absent if the engine does not know them. */
  readonly textBytes?: readonly number[];
}

/**
 * Searches and reads sections. Every method is one read transaction on one generation.
 * @throws BackendUnavailableError `index_missing` or `index_incompatible`
 */
export abstract class SectionIndex {
  abstract stamp(): Promise<IndexStamp>;
  abstract search(query: SectionQuery): Promise<SearchAnswer>;
  /** In the order of the ids, each once, without unknown and invisible ones. A path gives its first section. */
  abstract sections(scope: Scope, ids: readonly string[]): Promise<StoredSections>;
  /**
   * Returns a section with the quote. `findQuote` decides if a section has it; only if none has, `findReadQuote` decides.
   * A section of the given document comes first, then the others by path and in reading order.
   */
  abstract quoting(scope: Scope, quote: SoughtQuote): Promise<QuotingSection>;
  /**
   * Returns a section with its neighbours in the document. The path of a document stands for its first section.
   * @param context  largest number of neighbours on either side, 0 to 5
   * @returns null if the id is unknown or invisible
   */
  abstract neighbours(scope: Scope, id: string, context: number): Promise<SectionNeighbours | null>;
  abstract facts(scope: Scope, facetLimit: number): Promise<IndexFacts>;
  /** Fast after the first call for a generation and scope. */
  abstract corpus(scope: Scope): Promise<CorpusFacts>;
  /** Visible documents with text, sorted by path. @param offset  number of documents to skip */
  abstract documents(scope: Scope, offset: number, limit: number): Promise<ListedDocuments>;
  /**
   * Visible documents that are offered as resources, sorted by path: those that the manifest chooses, or else all with text.
   * @param after  last path of the previous page
   */
  abstract resources(scope: Scope, after: string | null, limit: number): Promise<OfferedDocuments>;
  /** All sections of a resource, in reading order; null if it is unknown, invisible or not a resource. */
  abstract resource(scope: Scope, path: string): Promise<StoredSections | null>;
  /** Waits for running reads, then closes the engine. */
  abstract close(): Promise<void>;
}

/**
 * The documents among those of some sections that are outside a scope now: what is stored about them was visible before they
 * got groups, or another tag or repository.
 * @param ids  of sections
 * @returns their pages, as `pagePath` gives them; without documents that do not exist any more
 * @throws BackendUnavailableError
 */
export async function findHidden(
  index: Pick<SectionIndex, 'sections'>,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { docTags, repositories, groups = null } = scope;
  const pages = [...new Set(ids.map(pagePath))];
  if (pages.length === 0 || (docTags === null && repositories === null && groups === null)) return new Set();
  const all = { ...scope, docTags: null, repositories: null, groups: null };
  // A page of another name may have the path that stands in the id of a hidden one: `a%20b.md`.
  const { sections } = await index.sections(all, [
    ...new Set(pages.flatMap((page) => [page, decodePath(page)])),
  ]);
  const hidden = sections.filter(({ document }) => !scopeAllows(scope, document));
  // A long id may end within its path.
  return new Set(hidden.flatMap(({ section, document }) => [section.id, encodePath(document.path)]));
}
