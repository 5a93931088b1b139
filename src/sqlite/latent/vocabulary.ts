import type { SparseRow } from './sparse-rows.js';

// A term in only one section does not relate it to others.
const MIN_SECTIONS = 2;
// A term in at least half of the sections does not distinguish them.
const MAX_SHARE = 0.5;

/** The terms of a latent space and their weights. */
export interface LatentVocabulary {
  /** Row of each term; rows and map are in code unit order of the terms. */
  readonly rowOf: ReadonlyMap<string, number>;
  /** Inverse document frequency by row, over sections: ln((N + 1) / (n + 0.5)), > 0. */
  readonly idf: Float32Array;
}

function sectionFrequencies(sections: readonly (readonly string[])[]): Map<string, number> {
  const seen = new Map<string, { count: number; lastSection: number }>();
  sections.forEach((terms, section) => {
    for (const term of terms) {
      const entry = seen.get(term);
      if (entry === undefined) seen.set(term, { count: 1, lastSection: section });
      else if (entry.lastSection !== section) {
        entry.count++;
        entry.lastSection = section;
      }
    }
  });
  return new Map([...seen].map(([term, { count }]) => [term, count]));
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The terms of at least two and less than half of the sections. @param maxTerms  keeps the most frequent */
export function buildVocabulary(
  sections: readonly (readonly string[])[],
  maxTerms: number,
): LatentVocabulary {
  const kept = [...sectionFrequencies(sections)]
    .filter(([, count]) => count >= MIN_SECTIONS && count < sections.length * MAX_SHARE)
    .sort(([a, countA], [b, countB]) => countB - countA || byCodeUnits(a, b))
    .slice(0, maxTerms)
    .sort(([a], [b]) => byCodeUnits(a, b));
  return {
    rowOf: new Map(kept.map(([term], row) => [term, row])),
    idf: Float32Array.from(kept, ([, count]) => Math.log((sections.length + 1) / (count + 0.5))),
  };
}

/** The rows of the known terms, ascending, with repeats. */
function knownRows({ rowOf }: LatentVocabulary, terms: Iterable<string>): Int32Array {
  const rows: number[] = [];
  for (const term of terms) {
    const row = rowOf.get(term);
    if (row !== undefined) rows.push(row);
  }
  return new Int32Array(rows).sort();
}

/** Divides by the Euclidean length, in place; a zero vector stays zero. */
export function scaleToUnit(values: Float32Array): void {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0) return;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] ?? 0) / length;
}

/**
 * TF-IDF of a text: (1 + ln tf) · idf for each known term, scaled to length 1. The order of the terms does not matter.
 * @param terms  with repeats
 * @returns no columns when no term is known
 */
export function weighText(vocabulary: LatentVocabulary, terms: Iterable<string>): SparseRow {
  const rows = knownRows(vocabulary, terms);
  const columns: number[] = [];
  const weights: number[] = [];
  for (let start = 0, end = 0; start < rows.length; start = end) {
    const row = rows[start] ?? 0;
    while (end < rows.length && rows[end] === row) end++;
    columns.push(row);
    weights.push((1 + Math.log(end - start)) * (vocabulary.idf[row] ?? 0));
  }
  const values = new Float32Array(weights);
  scaleToUnit(values);
  return { columns: new Int32Array(columns), values };
}
