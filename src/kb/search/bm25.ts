/**
 * Weights of the fields in Okapi BM25, with the formula of FTS5, so that all engines score like the index file. Other
 * weights made hardly any difference, but without title and headings whole pages were not found.
 */
export const FIELD_WEIGHTS = { title: 2, headings: 2, file: 1, body: 1 } as const;

const K1 = 1.2;
const B = 0.75;

/**
 * Contribution of a term of weight 1 to a section's score, from 0 to below 2.2.
 * @param frequency  number of occurrences, each multiplied by the weight of its field
 * @param length  number of terms in the section
 * @param averageLength  of all sections; 0 if there are none
 */
export function termShare(frequency: number, length: number, averageLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + saturation(length, averageLength));
}

/** The inverse of `termShare`. Frequencies are whole numbers, because the field weights are. */
export function shareFrequency(share: number, length: number, averageLength: number): number {
  return Math.round((share * saturation(length, averageLength)) / (K1 + 1 - share));
}

function saturation(length: number, averageLength: number): number {
  const relative = averageLength > 0 ? length / averageLength : 1;
  return K1 * (1 - B + B * relative);
}
