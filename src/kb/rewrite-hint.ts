import type { Ranking } from '../core/ranking.js';
import { quotedLine } from '../text/plain-line.js';
import { queryTerms } from '../text/terms/search-terms.js';

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** The first word of a text that is indexed as a term. */
const wordFor = (text: string, term: string): string | undefined =>
  text.match(WORDS)?.find((word) => queryTerms(word).includes(term));

/** Says which words of a question were replaced by words of the documents; null if none was. */
export function rewriteHint({ rewrites, candidates, part }: Ranking): string | null {
  const [first] = candidates;
  if (!first) return null;
  const found = `${first.section.headingPath.join('\n')}\n${first.section.text}`;
  const replaced = rewrites.flatMap(({ from, to, why }) => {
    const [asked, used] = [wordFor(part.text, from), wordFor(found, to)];
    return why === 'acronym' || asked === undefined || used === undefined
      ? []
      : [`${quotedLine(used)} for ${quotedLine(asked)}`];
  });
  return replaced.length === 0
    ? null
    : `No document contains all words. Searched for ${replaced.join(', ')}.`;
}
