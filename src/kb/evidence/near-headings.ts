import type { Ranking } from '../../core/ranking.js';
import { queryTerms } from '../../text/terms/search-terms.js';
import { isStopTerm } from '../../text/terms/stop-words.js';

/** Sections whose headings are considered, and the number and length (characters) of those that are named. */
const TOP_SECTIONS = 8;
const MAX_HEADINGS = 3;
const MAX_CHARS = 24;

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
      const heading = section.headingPath.at(-1) ?? '';
      const isNew = queryTerms(heading).some((term) => !asked.has(term) && !isStopTerm(term));
      return isNew && heading.length <= MAX_CHARS && isTrusted(section.id) ? [heading] : [];
    });
  });
  const isFirst = (heading: string, at: number): boolean =>
    near.findIndex((other) => other.toLowerCase() === heading.toLowerCase()) === at;
  return near.filter(isFirst).slice(0, MAX_HEADINGS);
}
