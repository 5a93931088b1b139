import { FIELD_WEIGHTS } from '../../../kb/search/bm25.js';
import type { FieldTerms } from '../../../text/section-terms.js';

function countIn(terms: readonly string[], phrase: readonly string[]): number {
  let count = 0;
  for (let at = terms.indexOf(phrase[0] ?? ''); at >= 0; at = terms.indexOf(phrase[0] ?? '', at + 1)) {
    if (phrase.every((term, i) => terms[at + i] === term)) count++;
  }
  return count;
}

/** How often a section holds a phrase within one field, each time weighed by the field. */
export function phraseFrequency(terms: FieldTerms, phrase: readonly string[]): number {
  const fields = ['title', 'headings', 'file', 'body'] as const;
  return fields.reduce((sum, field) => sum + FIELD_WEIGHTS[field] * countIn(terms[field], phrase), 0);
}
