/** Components of a hashed word vector. */
export const WORD_DIMENSIONS = 1 << 20;

const PAIR_BYTES = 8;

/** The words of a text as a sparse vector. */
interface HashedWords {
  /** Component of each word, ascending. */
  readonly buckets: Uint32Array;
  /** 1 + ln of the word's number of occurrences. */
  readonly weights: Float32Array;
}

/** FNV-1a over UTF-16 code units (Fowler, Noll and Vo), folded to 20 bits as its authors advise. */
function bucketOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return ((hash >>> 20) ^ hash) & (WORD_DIMENSIONS - 1);
}

/**
 * Hashes the words of a text into a sparse vector (Weinberger et al., ICML 2009). Nothing is fitted, so new words count
 * immediately. With 15,000 words, about 1.4 % share their component with another word.
 * @param terms  with repeats, in any order
 */
export function hashWords(terms: readonly string[]): HashedWords {
  const counts = new Map<number, number>();
  for (const term of terms) {
    const bucket = bucketOf(term);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const buckets = Uint32Array.from(counts.keys()).sort();
  return { buckets, weights: Float32Array.from(buckets, (b) => 1 + Math.log(counts.get(b) ?? 1)) };
}

/** Four bytes for each component and four for its weight, little endian. */
export function packWords({ buckets, weights }: HashedWords): Uint8Array {
  const packed = new Uint8Array(buckets.length * PAIR_BYTES);
  const view = new DataView(packed.buffer);
  buckets.forEach((bucket, i) => {
    view.setUint32(i * PAIR_BYTES, bucket, true);
    view.setFloat32(i * PAIR_BYTES + 4, weights[i] ?? 0, true);
  });
  return packed;
}

/** Calls `visit` for each packed word, in component order. */
export function eachWord(packed: Uint8Array, visit: (bucket: number, weight: number) => void): void {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at + PAIR_BYTES <= packed.length; at += PAIR_BYTES) {
    visit(view.getUint32(at, true) & (WORD_DIMENSIONS - 1), view.getFloat32(at + 4, true));
  }
}

/** Document frequencies of the components. */
export interface WordFrequencies {
  /** Number of all texts. */
  readonly texts: number;
  /** Number of texts with each component. */
  readonly byBucket: Uint32Array;
}

/** Weight of a component: ln((N + 1) / (n + 0.5)), > 0; highest for one that no text has. */
export function bucketWeight({ texts, byBucket }: WordFrequencies, bucket: number): number {
  return Math.log((texts + 1) / ((byBucket[bucket] ?? 0) + 0.5));
}
