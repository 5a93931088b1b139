import { z } from 'zod';
import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import { queryWords, searchTerms } from '../../text/terms/search-terms.js';

const MAX_WORDS = 500;
const MAX_SYNONYMS = 8;
const MAX_CHARS = 64;

const word = z.string().min(1).max(MAX_CHARS);
const isOneWord = (text: string): boolean => queryWords(text).length === 1;

/** The words of people, each with words of the documents that mean the same. */
export const synonymsSchema = z
  .record(
    word,
    z
      .array(word.refine((text) => searchTerms(text).length > 0, 'it has no word'))
      .min(1)
      .max(MAX_SYNONYMS),
  )
  .refine((words) => Object.keys(words).length <= MAX_WORDS, `at most ${MAX_WORDS} words`)
  .superRefine((words, context) => {
    const report = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    for (const [key, others] of Object.entries(words)) {
      if (!isOneWord(key)) report([key], `"${key}" is not one word`);
      const known = new Set(searchTerms(key));
      for (const [i, other] of others.entries())
        if (searchTerms(other).every((term) => known.has(term)))
          report([key, i], `searches take "${other}" for the same word; name another, or remove it`);
    }
  })
  .describe(
    'Words that people use and the documents do not, each with words of the documents that mean the same. They are searched for in place of a word that no document contains.',
  );

type Synonyms = NonNullable<CorpusDeclaration['synonyms']>;

/** Merges terms by term, sorted. */
export function mergeSynonyms(all: readonly Synonyms[]): Pick<CorpusDeclaration, 'synonyms'> {
  const terms = new Map<string, Set<string>>();
  for (const [from, to] of all.flatMap((each) => Object.entries(each)))
    terms.set(from, new Set([...(terms.get(from) ?? []), ...to]));
  const sorted = [...terms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([from, to]) => [from, [...to].sort()]);
  return sorted.length === 0 ? {} : { synonyms: Object.fromEntries(sorted) };
}

/** The terms of words and their synonyms. Words with one term are merged. */
export const declareSynonyms = (
  words: Readonly<Record<string, readonly string[]>>,
): Pick<CorpusDeclaration, 'synonyms'> =>
  mergeSynonyms(
    Object.entries(words).map(([key, others]) => ({
      [queryWords(key)[0]?.term ?? key]: others.flatMap((other) => searchTerms(other)),
    })),
  );
