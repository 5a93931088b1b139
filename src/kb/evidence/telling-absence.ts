import { frequentTerms, type Language } from '../../text/terms/languages.js';
import { queryTerms } from '../../text/terms/search-terms.js';

/** Polish, whose words have too many endings, and languages that Pith does not know. */
const UNCERTAIN: ReadonlySet<Language> = new Set(['pl', 'und']);
const UNSPACED: ReadonlySet<Language> = new Set(['zh', 'ja']);

/** The words that a text without spaces consists of, of two or more characters. */
function wordsWithin(text: string, language: Language): string[] {
  const segments = new Intl.Segmenter(language, { granularity: 'word' }).segment(text);
  return Array.from(segments).flatMap(({ segment, isWordLike }) =>
    isWordLike && segment.length > 1 ? [segment] : [],
  );
}

/**
 * The terms of a question that tell something if no document contains them. In Chinese and Japanese, those are pairs of
 * characters within a word: the others are chance neighbours.
 */
export function tellingAbsence(question: string, language: Language): readonly string[] {
  if (UNCERTAIN.has(language)) return [];
  if (!UNSPACED.has(language)) return queryTerms(question);
  const frequent = frequentTerms(language);
  return wordsWithin(question, language)
    .flatMap(queryTerms)
    .filter((term) => !frequent.has(term));
}
