import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { SearchTimings, StoredSection } from '../../core/ports/section-index.port.js';
import type { Soon } from './flow.js';
import type { KnownTerm, NearbyTerms } from './nearest-term.js';
import type { Hit, TitleMemo } from './score-hits.js';
import type { WeighedTerm } from './weigh-terms.js';

/** Words, phrases and vector to look for. */
export interface Sought {
  /** Rarest first; empty where only vectors find sections. */
  readonly terms: readonly WeighedTerm[];
  /** Terms of each phrase, one or more. */
  readonly phrases: readonly (readonly string[])[];
  /** The question's vector; null where vectors do not rank. */
  readonly vector: Float32Array | null;
  /** Number of sections to find by vector; 0 for none. The vector also ranks the sections that words found. */
  readonly recalls: number;
}

/** Limits of one look at the index. */
export interface Look {
  /** Number of sections to find by words. */
  readonly fetch: number;
  /** True if all hits must be exact; false if only the best ones must be. */
  readonly isExact: boolean;
}

/** Sections that an engine found. */
export interface Matches<H extends Hit> {
  /** Best BM25 first, ties by section id. */
  readonly byWords: readonly H[];
  /** Nearest first; empty where vectors do not find sections. */
  readonly byVector: readonly H[];
  /** Cosine of the angle between the question's vector and the hit's; null without a vector. */
  readonly cosineOf: (hit: H) => number | null;
}

/** Facts of the generation that a search reads. */
export interface SearchedGeneration {
  readonly id: string;
  /** Sections of the whole index. */
  readonly sectionCount: number;
  readonly declaration: CorpusDeclaration;
  readonly profile: EmbedderProfile;
  /** Kept from search to search. */
  readonly titles: TitleMemo;
}

/** Ends a stage of the search and adds the time since the previous stage to it. */
export type EndStage = (stage: keyof SearchTimings) => void;

/**
 * The small questions that `searchFlow` asks one generation of an index, for one query. All answers are restricted to
 * what the query's scope and filter show, unless a question says otherwise.
 */
export interface SearchEngine<H extends Hit> {
  readonly generation: SearchedGeneration;
  /** For each acronym the long form that most sections give it; null where none does. */
  longForms(shorts: readonly string[]): Soon<readonly (string | null)[]>;
  /**
   * Number of sections of the whole index that hold a term; 0 where no visible section holds it, or where this is not
   * known before `lookUpTerms`.
   */
  frequencyOf(term: string): number;
  /** Looks up the terms that `frequencyOf` did not know. @returns false where there were none */
  lookUpTerms(): Soon<boolean>;
  /** Terms of the whole index, in any order. */
  termsNear(near: NearbyTerms): readonly KnownTerm[];
  /** Vector of length 1 in the space of the index; null where the index has no vectors of its own. */
  vectorOf(terms: readonly string[]): Float32Array | null;
  /** Prepares a search. The returned function is called once or twice, the second time with `isExact`. */
  matcher(sought: Sought, endStage: EndStage): (look: Look) => Soon<Matches<H>>;
  /** Called for as few hits as possible. */
  read(hit: H): StoredSection;
  tagOf(hit: H): string;
}
