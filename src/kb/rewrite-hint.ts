import type { Ranking } from '../core/ranking.js';
import { quotedLine } from '../text/plain-line.js';
import { isStopTerm } from '../text/terms/languages.js';
import { queryTerms, wordFor } from '../text/terms/search-terms.js';

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

/** Sections whose headings are considered, and the number and length (characters) of those that are named. */
const TOP_SECTIONS = 8;
const MAX_HEADINGS = 3;
const MAX_CHARS = 24;

/** Headings that pages of any subject have. */
const GENERAL =
  /^(?:(?:additional|further|general|more|other|basic|quick|main) )*(?:about|arguments?|background|basics|conclusion|definition|description|details|examples?|features|info(?:rmation)?|introduction|limitations|notes?|options|overview|parameters?|references?|remarks|return values?|see also|start(?:ed)?|summary|synopsis|syntax|usage|use)$/i;
const NUMBER = /^(?:[A-Z]\.)?\d+(?:\.\d+)*\.?\s+/;

/** The heading of a section without its number; for one that says nothing about its subject, the heading above it. */
const findSubject = (headingPath: readonly string[]): string =>
  headingPath.map((heading) => heading.replace(NUMBER, '')).findLast((heading) => !GENERAL.test(heading)) ??
  '';

/**
 * Headings of the best sections, for keywords of a second call: short ones with a word that the question does not have.
 * @param isTrusted  false for a section whose headings must not stand among words of the server
 * @returns at most three, best first, each once
 */
export function nearHeadings(
  rankings: readonly Ranking[],
  isTrusted: (sectionId: string) => boolean,
): readonly string[] {
  const near = rankings.flatMap(({ terms, candidates }) => {
    const asked = new Set(terms);
    return candidates.slice(0, TOP_SECTIONS).flatMap(({ section, document }) => {
      // A document that addresses assistants, or hides characters.
      if (document.caution) return [];
      const heading = findSubject(section.headingPath);
      const isNew = queryTerms(heading).some((term) => !asked.has(term) && !isStopTerm(term));
      return isNew && heading.length <= MAX_CHARS && isTrusted(section.id) ? [heading] : [];
    });
  });
  const isFirst = (heading: string, at: number): boolean =>
    near.findIndex((other) => other.toLowerCase() === heading.toLowerCase()) === at;
  return near.filter(isFirst).slice(0, MAX_HEADINGS);
}

/** The sentence about what a limit left out; '' if it left out nothing. */
export function leftOutText(what: readonly string[], next = ''): string {
  return what.length === 0 ? '' : `Left out to fit one reply: ${what.join(', ')}. ${next}`.trimEnd();
}

/** Sentences as one hint, without empty ones; null if all are empty. */
export function joinHints(...hints: readonly (string | null)[]): string | null {
  return hints.filter((hint) => hint).join(' ') || null;
}
