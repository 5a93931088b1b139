import { bucketWeight, eachWord, type WordFrequencies } from '../latent/hashed-words.js';

/** An inverted index: for each word, the rows that contain it and its weight in them. */
export interface WordPostings {
  /** The list of each word bucket. */
  readonly listOf: ReadonlyMap<number, number>;
  /** List i has the entries of `rows` and `weights` from `starts[i]` up to, but not including, `starts[i + 1]`. */
  readonly starts: Uint32Array;
  /** Positions of rows, ascending within a list. */
  readonly rows: Uint32Array;
  readonly weights: Float32Array;
}

function countWords(packed: readonly (Uint8Array | null)[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const bytes of packed) {
    if (bytes) eachWord(bytes, (bucket) => void counts.set(bucket, (counts.get(bucket) ?? 0) + 1));
  }
  return counts;
}

/** Inverts the packed words of rows; rows without words are in no list. */
export function indexWords(packed: readonly (Uint8Array | null)[]): WordPostings {
  const counts = countWords(packed);
  const starts = new Uint32Array(counts.size + 1);
  const listOf = new Map<number, number>();
  for (const [bucket, count] of counts) {
    const list = listOf.size;
    listOf.set(bucket, list);
    starts[list + 1] = (starts[list] ?? 0) + count;
  }
  const next = starts.slice();
  const rows = new Uint32Array(starts.at(-1) ?? 0);
  const weights = new Float32Array(rows.length);
  packed.forEach((bytes, row) => {
    if (!bytes) return;
    eachWord(bytes, (bucket, weight) => {
      const list = listOf.get(bucket) ?? 0;
      const at = next[list] ?? 0;
      next[list] = at + 1;
      rows[at] = row;
      weights[at] = weight;
    });
  });
  return { listOf, starts, rows, weights };
}

/** Adds a word's weight in each row, times a factor, to the row's sum. */
export function addWord(
  sums: Float64Array,
  { listOf, starts, rows, weights }: WordPostings,
  { bucket, factor }: { readonly bucket: number; readonly factor: number },
): void {
  const list = listOf.get(bucket);
  if (list === undefined) return;
  const end = starts[list + 1] ?? 0;
  for (let i = starts[list] ?? 0; i < end; i++) {
    const row = rows[i] ?? 0;
    sums[row] = (sums[row] ?? 0) + (weights[i] ?? 0) * factor;
  }
}

/** Computes the reciprocal length of each row's word vector; 0 for rows without words. */
export function inverseLengths(
  { listOf, starts, rows, weights }: WordPostings,
  counts: WordFrequencies,
  into: Float32Array,
): void {
  const squares = new Float64Array(into.length);
  for (const [bucket, list] of listOf) {
    const frequency = bucketWeight(counts, bucket);
    for (let i = starts[list] ?? 0; i < (starts[list + 1] ?? 0); i++) {
      const row = rows[i] ?? 0;
      squares[row] = (squares[row] ?? 0) + ((weights[i] ?? 0) * frequency) ** 2;
    }
  }
  squares.forEach((square, row) => (into[row] = square === 0 ? 0 : 1 / Math.sqrt(square)));
}
