import type { Ranking } from '../core/ranking.js';
import { quotedLine } from '../text/plain-line.js';
import { wordFor } from '../text/terms/search-terms.js';

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

const MAX_OFFERED = 3;

/** Offers words of the documents in place of words that no section contains; '' if there are none. */
export function nearestHint(rankings: readonly Ranking[]): string {
  const words = [...new Set(rankings.flatMap(({ nearest = [] }) => nearest))].slice(0, MAX_OFFERED);
  return words.length === 0 ? '' : `Nearest words in the documents: ${words.map(quotedLine).join(', ')}.`;
}

/** The sentence about what a limit left out; '' if it left out nothing. */
export function leftOutText(what: readonly string[], next = ''): string {
  return what.length === 0 ? '' : `Left out to fit one reply: ${what.join(', ')}. ${next}`.trimEnd();
}

/** Sentences as one hint, without empty ones; null if all are empty. */
export function joinHints(...hints: readonly (string | null)[]): string | null {
  return hints.filter((hint) => hint).join(' ') || null;
}
