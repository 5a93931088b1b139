/**
 * Okapi BM25 as FTS5 has it, so that engines that are told weights score as the index file does.
 * Title and headings count twice, file name and body once (measured: flat around these, but never leave them out).
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

/** The frequency that `termShare` was given: a whole number, since fields weigh whole numbers. */
export function shareFrequency(share: number, length: number, averageLength: number): number {
  return Math.round((share * saturation(length, averageLength)) / (K1 + 1 - share));
}

function saturation(length: number, averageLength: number): number {
  const relative = averageLength > 0 ? length / averageLength : 1;
  return K1 * (1 - B + B * relative);
}
