import { type Candidate, NO_FILTER } from '../../../core/ports/section-index.port.js';
import { queryWords } from '../../../text/terms/search-terms.js';
import type { EvalServices } from '../eval-services.js';
import type { GoldenQuestion } from './golden-set.js';
import { foldText, type GoldAnswer, isDirectlyUnder } from './match-quote.js';

/** Sections to read per page; few pages have more. */
const MAX_SECTIONS = 1_000;

async function sectionsOf(
  { index, scope: configured }: EvalServices,
  { path, quote }: GoldAnswer,
): Promise<Candidate[]> {
  const scope = await configured();
  const filter = { ...NO_FILTER, pathPrefix: path };
  const asked = { words: queryWords(quote), phrases: [], correctable: [], acronyms: [] };
  const answer = await index.search({
    text: quote,
    asked,
    rankedBy: 'lexical',
    scope,
    filter,
    limit: MAX_SECTIONS,
    perDocument: MAX_SECTIONS,
  });
  return answer.candidates.filter(({ document }) => document.path === path);
}

/** The problem of a gold answer; null if there is none. @param sections  sections of its page with any of its words */
function problemOf(
  { heading, quote }: GoldAnswer,
  sections: readonly Candidate[],
): keyof typeof PROBLEMS | null {
  if (sections.length === 0) return 'path';
  const gold = foldText(quote);
  if (!sections.some(({ section }) => foldText(section.text).includes(gold))) return 'quote';
  const titles = sections.map(({ section }) => section.headingPath.join(' > '));
  return titles.some((title) => isDirectlyUnder(title, heading)) ? null : 'heading';
}

const PROBLEMS = {
  path: 'gold pages are not in the index (or contain none of the words)',
  quote: 'gold quotes are not in any single section of their page',
  heading: 'gold headings match no section of their page',
} as const;

const LISTED = 5;

/** Compares gold answers with the index. @returns one sentence per kind of problem; empty without problems */
export async function checkGolden(
  services: EvalServices,
  questions: readonly GoldenQuestion[],
): Promise<string[]> {
  const found: Record<keyof typeof PROBLEMS, string[]> = { path: [], quote: [], heading: [] };
  for (const { id, answers } of questions) {
    for (const answer of answers) {
      const problem = problemOf(answer, await sectionsOf(services, answer));
      if (problem) found[problem].push(`${id} ${answer.path}`);
    }
  }
  const kinds = ['path', 'quote', 'heading'] as const;
  return kinds.flatMap((kind) => {
    const places = found[kind];
    if (places.length === 0) return [];
    const more = places.length > LISTED ? ', …' : '';
    return [`${places.length} ${PROBLEMS[kind]}: ${places.slice(0, LISTED).join(', ')}${more}`];
  });
}
