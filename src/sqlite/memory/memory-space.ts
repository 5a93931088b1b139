import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import {
  BUILT_IN_PROVIDER,
  type EmbeddedQuestion,
  type MemorySpace,
} from '../../core/ports/memory-store.port.js';
import { bytesOrNull, type Database } from '../driver.js';
import { WORD_DIMENSIONS } from '../latent/hashed-words.js';
import type { MemoryMeta } from './memory-schema.js';

/** Name and version of the word part of the space. */
const WORD_MODEL = 'tf-idf-1';

/**
 * Weight of the word part in the similarity of two texts; the latent part has the rest. nDCG@10 without other signals:
 *
 *     words  SciFact  Cranfield  SciFact, 300 characters  Cranfield, 300 characters
 *     0      .460     .524       .311                     .462
 *     .5     .617     .548       .416                     .492
 *     .75    .663     .540       .484                     .491
 *     1      .650     .496       .510                     .451
 */
export const WORD_SHARE = 0.75;

/** The space for this number of rows. */
export function spaceFor(embedder: Embedder, rowCount: number): MemorySpace {
  const { name, dimensions } = embedder.profile;
  const isLatent = embedder.isWorthFitting(rowCount);
  return {
    provider: BUILT_IN_PROVIDER,
    model: isLatent ? `${WORD_MODEL}+${name}` : WORD_MODEL,
    dim: WORD_DIMENSIONS + (isLatent ? dimensions : 0),
  };
}

/** The space with all its parts, as a large memory has it. */
export function wholeSpace(embedder: Embedder): MemorySpace {
  return spaceFor(embedder, Number.MAX_SAFE_INTEGER);
}

/** True if vectors of two spaces are comparable. */
export function isSameSpace(a: Pick<MemoryMeta, keyof MemorySpace>, b: MemorySpace): boolean {
  return a.provider === b.provider && a.model === b.model && a.dim === b.dim;
}

/** The space of comparable rows: that of the question's model, or one that the built-in embedder supports. */
export function comparedSpace(
  embedder: Embedder,
  { provider, model, dim }: MemoryMeta,
  embedded: EmbeddedQuestion | undefined,
): MemorySpace {
  if (embedded) return { provider: embedded.provider, model: embedded.model, dim: embedded.vector.length };
  const isKnown = provider === BUILT_IN_PROVIDER && partsOf(embedder, model).isKnown;
  // Without a known space nothing is comparable: rows of another version wait to be embedded again.
  return { provider: BUILT_IN_PROVIDER, model: isKnown ? (model ?? '') : '', dim: isKnown ? dim : 0 };
}

/** Reports if this version of Pith supports a space, and if the space has a latent part. */
export function partsOf(embedder: Embedder, model: string | null): { isKnown: boolean; isLatent: boolean } {
  const isLatent = model === `${WORD_MODEL}+${embedder.profile.name}`;
  return { isKnown: isLatent || model === WORD_MODEL, isLatent };
}

/** The stored latent part of memory's space. */
export function readLatentSpace(database: Database, embedder: Embedder): EmbeddingSpace | null {
  const bytes = bytesOrNull(database.prepare('SELECT bytes FROM main.memory_space').get()?.['bytes']);
  return bytes && embedder.unpack(bytes);
}
