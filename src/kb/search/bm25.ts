/**
 * Okapi BM25 with the formula of FTS5, so that engines for which Pith computes the weights score like the index file.
 * Title and headings count twice, file name and body once. In measurements, other weights made hardly any difference,
 * but without title and headings whole pages were not found.
 */
export const FIELD_WEIGHTS = { title: 2, headings: 2, file: 1, body: 1 } as const;

const K1 = 1.2;
const B = 0.75;

/**
 * Contribution of a term of weight 1 to a section's score.
 * @param frequency  of the term, each occurrence weighed by its field
 * @param length  of the section in terms
 * @param averageLength  of all sections; 0 where there are none
 * @returns from 0 to below 2.2
 */
export function termShare(frequency: number, length: number, averageLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + saturation(length, averageLength));
}

/** The inverse of `termShare`. The frequency is a whole number, because the field weights are whole numbers. */
export function shareFrequency(share: number, length: number, averageLength: number): number {
  return Math.round((share * saturation(length, averageLength)) / (K1 + 1 - share));
}

function saturation(length: number, averageLength: number): number {
  const relative = averageLength > 0 ? length / averageLength : 1;
  return K1 * (1 - B + B * relative);
}
