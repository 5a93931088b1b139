/** The properties of an embedder that don't depend on a corpus. */
export interface EmbedderProfile {
  /** Method and version. Vectors are only compared with vectors of the same name. */
  readonly name: string;
  /** Largest number of components of a vector; 0 without vectors, and for a model until its first response. */
  readonly dimensions: number;
  /** Weight of vector similarity; lexical score has weight 1. Measured for each embedder. */
  readonly weight: number;
  /** True when vectors also find sections; false when they only rank sections that contain a word of the query. */
  readonly recalls: boolean;
  /** The other embedder whose indexes are read too; absent if there is none. */
  readonly also?: EmbedderProfile;
}

/** Converts texts to comparable vectors. */
export interface EmbeddingSpace {
  /** The packed vector of a text, from its terms with repeats, in any order. */
  readonly embed: (terms: readonly string[]) => Uint8Array;
  /** The vector of a question, of length 1; null if none of its terms is known. */
  readonly question: (terms: readonly string[]) => Float32Array | null;
  readonly pack: () => Uint8Array;
}

/** Makes vectors of sections, in a space that is fitted on some of them. */
export abstract class Embedder {
  abstract readonly profile: EmbedderProfile;
  /** True when vectors improve the search of an index of this size. */
  abstract isWorthFitting(documentCount: number): boolean;
  /** True when the space is fitted on the section at this position. @param position  by section id, from 0 */
  abstract isFitted(position: number, sectionCount: number): boolean;
  /** @param sections  the terms of each section that the space is fitted on */
  abstract fit(sections: readonly (readonly string[])[]): EmbeddingSpace;
  /** Reverses `pack`. @throws BackendUnavailableError if the bytes are not a space of this embedder */
  abstract unpack(bytes: Uint8Array): EmbeddingSpace;
}
