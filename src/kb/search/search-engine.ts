import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { SearchTimings, StoredSection } from '../../core/ports/section-index.port.js';
import type { WeighedTerm } from './bm25.js';
import type { KnownTerm, NearbyTerms } from './nearest-term.js';
import type { Cosines, Hit, TitleMemo } from './score-hits.js';

/** Words, phrases and a vector to search for. */
export interface Sought {
  /** Rarest first; empty if only vectors find sections. */
  readonly terms: readonly WeighedTerm[];
  /** Terms of each phrase, one or more. */
  readonly phrases: readonly (readonly string[])[];
  /** The question's vector; null if vectors do not rank. */
  readonly vector: Float32Array | null;
  /** Number of sections to find by vector; 0 if the vector only ranks the sections that words found. */
  readonly recalls: number;
}

export interface Matches<H extends Hit> {
  /** Best BM25 first, ties by section id. */
  readonly byWords: readonly H[];
  /** Nearest first; empty if vectors do not find sections. */
  readonly byVector: readonly H[];
  /** Cosines of the angles between the question's vector and those of hits, in their order; null without a vector. */
  readonly cosinesOf: (hits: readonly H[]) => Cosines;
}

/** The generation that a search reads. */
export interface SearchedGeneration {
  readonly id: string;
  /** Number of sections in the whole index. */
  readonly sectionCount: number;
  readonly declaration: CorpusDeclaration;
  readonly profile: EmbedderProfile;
  /** Shared by all searches of the generation. */
  readonly titles: TitleMemo;
}

/** Ends a stage of the search: adds the time since the previous stage ended. */
export type EndStage = (stage: keyof SearchTimings) => void;

/**
 * The small questions of `searchFlow` to one generation of an index, for one query. Unless noted otherwise, answers are
 * restricted to the query's scope and filter.
 */
export interface SearchEngine<H extends Hit> {
  readonly generation: SearchedGeneration;
  /** For each acronym, its most frequent long form; null if there is none. */
  longForms(shorts: readonly string[]): Soon<readonly (string | null)[]>;
  /** Number of sections with a term in the whole index; 0 if no visible section has it, or before `lookUpTerms`. */
  frequencyOf(term: string): number;
  /** Looks up the terms that `frequencyOf` did not know. @returns false if there were none */
  lookUpTerms(): Soon<boolean>;
  /** Terms of the whole index, in any order. */
  termsNear(near: NearbyTerms): readonly KnownTerm[];
  /** Vector of length 1 in the space of the index; null if the index has no vectors of its own. */
  vectorOf(terms: readonly string[]): Float32Array | null;
  /** Prepares a search. The returned function finds up to `fetch` sections by words; it is called again for more. */
  matcher(sought: Sought, endStage: EndStage): (fetch: number) => Soon<Matches<H>>;
  /** Reads a section; slow, so it is called for few hits. */
  read(hit: H): StoredSection;
  /** The texts of sections, in the order of the hits. */
  textsOf(hits: readonly H[]): readonly string[];
  tagOf(hit: H): string;
}

export type Soon<T> = T | Promise<T>;

/** Work that pauses at each question to an engine and continues with the answer. */
export type Flow<T> = Generator<() => unknown, T, unknown>;

/** Pauses a flow at a question. */
export function* ask<T>(question: () => Soon<T>): Flow<T> {
  // `answerNow` and `answerLater` continue with the value that this question returned.
  return (yield question) as T;
}

/** Runs a flow on an engine that answers synchronously. */
export function answerNow<T>(flow: Flow<T>): T {
  let step = flow.next();
  while (!step.done) step = flow.next(step.value());
  return step.value;
}

/** Runs a flow on an engine that answers asynchronously. */
export async function answerLater<T>(flow: Flow<T>): Promise<T> {
  let step = flow.next();
  while (!step.done) step = flow.next(await step.value());
  return step.value;
}
