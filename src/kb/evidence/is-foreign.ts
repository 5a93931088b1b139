import { queryWords } from '../../text/terms/search-terms.js';
import { isStopTerm } from '../../text/terms/stop-words.js';

/** Function words of German, Dutch, French, Spanish, Portuguese, Italian, Polish and Swedish that are no English words. */
const FOREIGN_WORDS = new Set(
  `der das den dem des und ist sind ein eine einen einem einer wie wo wann warum welche welcher welches ich kann nicht für mit
  von zu auf im wird werden het een van hoe waar wat niet voor le la les un une est et que qui dans pour sur avec comment où
  quel quelle quand pourquoi puis je el los las y es en por para con cómo qué cuál dónde cuándo puedo se del os uma em não
  como qual onde quando posso il lo gli di che per dove perché quale si jak gdzie czy nie są och är hur inte för med vad var`.split(
    /\s+/,
  ),
);
const LETTER = /\p{L}/gu;
const LATIN = /\p{sc=Latin}/gu;

/** True if a question is in a language other than English: by its script, or by more foreign than English function words. */
export function isForeign(question: string): boolean {
  const letters = question.match(LETTER)?.length ?? 0;
  const latin = question.match(LATIN)?.length ?? 0;
  if (letters > 2 * latin) return true;
  const words = question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const foreign = words.filter((word) => FOREIGN_WORDS.has(word)).length;
  const english = queryWords(question).filter(({ term }) => isStopTerm(term)).length;
  return foreign > english;
}
