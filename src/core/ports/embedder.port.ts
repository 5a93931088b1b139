/** What is known of an embedder before it has seen anything. */
export interface EmbedderProfile {
  /** Names the method and its version: vectors of two names are never compared. */
  readonly name: string;
  /** Components of a vector, at most; 0 where there are none, and of a model while only its first answer can tell. */
  readonly dimensions: number;
  /** What its similarity counts for where the words count for 1; measured for each embedder. */
  readonly weight: number;
  /** Whether vectors find sections, too, besides ranking those that words found. */
  readonly recalls: boolean;
}

/** Where texts become vectors that can be compared. */
export interface EmbeddingSpace {
  /** A text's vector as it is kept, from its terms with repeats, in any order. */
  readonly embed: (terms: readonly string[]) => Uint8Array;
  /** A question's vector, of length 1, to be compared with kept ones; null when none of its terms is known. */
  readonly question: (terms: readonly string[]) => Float32Array | null;
  /** The space as it is kept. */
  readonly pack: () => Uint8Array;
}

/** Makes vectors of sections: in a space that is learnt from some of them. */
export abstract class Embedder {
  abstract readonly profile: EmbedderProfile;
  /** Whether vectors help an index of this size at all. */
  abstract isWorthFitting(documentCount: number): boolean;
  /** Whether the section at this position, of so many in the order of their ids, is one to fit on. */
  abstract isFitted(position: number, sectionCount: number): boolean;
  /** @param sections  the terms of each section to fit on */
  abstract fit(sections: readonly (readonly string[])[]): EmbeddingSpace;
  /** @throws BackendUnavailableError when these bytes are no space of this embedder */
  abstract unpack(bytes: Uint8Array): EmbeddingSpace;
}
