import { BUILT_IN_PROVIDER } from '../../../core/ports/memory-store.port.js';
import type { EmbeddedQuestion } from '../../../core/ports/memory-store.port.js';
import { rowTerms } from '../../../memory/recall/memory-terms.js';
import type { MemorySpace } from '../../../core/ports/memory-writer.port.js';
import type { Embedder, EmbeddingSpace } from '../../../core/ports/embedder.port.js';
import type { StemMemo } from '../../../text/search-terms.js';
import { hashWords, packWords, WORD_DIMENSIONS } from '../../models/latent/hashed-words.js';
import type { Database } from '../driver.js';
import type { MemoryMeta } from './memory-schema.js';

/** The part of words, and its version. */
const WORD_MODEL = 'tf-idf-1';

/**
 * The share of the words in the likeness of two texts; the latent part has the rest. nDCG@10 where nothing else ranks:
 *
 *     words  SciFact  Cranfield  SciFact, 300 characters  Cranfield, 300 characters
 *     0      .460     .524       .311                     .462
 *     .5     .617     .548       .416                     .492
 *     .75    .663     .540       .484                     .491
 *     1      .650     .496       .510                     .451
 */
export const WORD_SHARE = 0.75;

/** What rows are compared in when there are so many of them to embed. */
export function spaceFor(embedder: Embedder, rowCount: number): MemorySpace {
  const { name, dimensions } = embedder.profile;
  const isLatent = embedder.isWorthFitting(rowCount);
  return {
    provider: BUILT_IN_PROVIDER,
    model: isLatent ? `${WORD_MODEL}+${name}` : WORD_MODEL,
    dim: WORD_DIMENSIONS + (isLatent ? dimensions : 0),
  };
}

/** The space of a memory that is large enough to have all its parts. */
export function wholeSpace(embedder: Embedder): MemorySpace {
  return spaceFor(embedder, Number.MAX_SAFE_INTEGER);
}

/** Whether vectors of two spaces can be compared. */
export function isSameSpace(a: Pick<MemoryMeta, keyof MemorySpace>, b: MemorySpace): boolean {
  return a.provider === b.provider && a.model === b.model && a.dim === b.dim;
}

/** The space of rows that a question can be compared with: that of its model, or what the built-in embedder knows. */
export function comparedSpace(
  embedder: Embedder,
  { provider, model, dim }: MemoryMeta,
  embedded: EmbeddedQuestion | undefined,
): MemorySpace {
  if (embedded) return { provider: embedded.provider, model: embedded.model, dim: embedded.vector.length };
  const isKnown = provider === BUILT_IN_PROVIDER && partsOf(embedder, model).isKnown;
  // In no space nothing can be compared: rows of another version's space wait to be embedded anew.
  return { provider: BUILT_IN_PROVIDER, model: isKnown ? (model ?? '') : '', dim: isKnown ? dim : 0 };
}

/** Whether this version of Pith can compare in a space, and whether it has a latent part. */
export function partsOf(embedder: Embedder, model: string | null): { isKnown: boolean; isLatent: boolean } {
  const isLatent = model === `${WORD_MODEL}+${embedder.profile.name}`;
  return { isKnown: isLatent || model === WORD_MODEL, isLatent };
}

/** The latent part of memory's space, as it was stored. */
export function readLatentSpace(database: Database, embedder: Embedder): EmbeddingSpace | null {
  const bytes = database.prepare('SELECT bytes FROM main.memory_space').get()?.['bytes'];
  return bytes instanceof Uint8Array ? embedder.unpack(bytes) : null;
}

/** The two parts of a row's vector. */
export interface RowVector {
  readonly words: Uint8Array;
  readonly latent: Uint8Array | null;
}

/** Embeds a row's text. */
export function embedRow(latent: EmbeddingSpace | null, text: string, memo: StemMemo): RowVector {
  const terms = rowTerms(text, memo);
  return { words: packWords(hashWords(terms)), latent: latent?.embed(terms) ?? null };
}
