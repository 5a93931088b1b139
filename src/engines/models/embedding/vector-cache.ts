/** A cache of a model's vectors. */
export abstract class VectorCache {
  /** The cached packed vectors, by key. */
  abstract read(keys: readonly string[]): ReadonlyMap<string, Uint8Array>;
  /** Stores vectors immediately, so that they are kept if the run fails. */
  abstract write(vectors: ReadonlyMap<string, Uint8Array>): void;
  abstract close(): void;
}
