/** What is known of an embedder before it has seen anything. */
export interface EmbedderProfile {
  /** Names the method and its version: vectors of two names are never compared. */
  readonly name: string;
  /** Components of a vector, at most. */
  readonly dimensions: number;
  /** What its similarity counts for where the words count for 1; measured for each embedder. */
  readonly weight: number;
}

/** Where texts become vectors that can be compared. */
export interface EmbeddingSpace {
  /** A text's vector as it is kept, from its terms with repeats, in any order. */
  readonly embed: (terms: readonly string[]) => Uint8Array;
  /**
   * Compares a question with kept vectors: the cosine of the angle between them, -1 to 1; null when no term of the
   * question is known.
   */
  readonly compareWith: (terms: readonly string[]) => ((vector: Uint8Array) => number) | null;
  /** The same for many vectors at once, one behind the other: writes the cosine of each, where there is room for one. */
  readonly compareAllWith: (
    terms: readonly string[],
  ) => ((vectors: Uint8Array, cosines: Float32Array) => void) | null;
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
