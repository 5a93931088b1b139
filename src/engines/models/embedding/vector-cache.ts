/** Vectors that a model made before, so that nothing is asked for twice. */
export abstract class VectorCache {
  /** The packed vectors of these texts that are known, by their keys. */
  abstract read(keys: readonly string[]): ReadonlyMap<string, Uint8Array>;
  /** Kept at once: what a run that fails has paid for is there for the next one. */
  abstract write(vectors: ReadonlyMap<string, Uint8Array>): void;
  abstract close(): void;
}
