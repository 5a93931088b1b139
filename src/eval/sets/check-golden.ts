import { queryWords } from '../../text/search-terms.js';
import { NO_FILTER } from '../../core/ports/section-index.port.js';
import type { Candidate } from '../../core/ports/section-index.port.js';
import type { EvalServices } from '../eval-services.js';
import type { GoldenQuestion } from './golden-set.js';
import { foldText, standsUnder } from './match-quote.js';
import type { GoldAnswer } from './match-quote.js';

/** A page seldom has more sections. */
const MANY = 1_000;

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
    limit: MANY,
    perDocument: MANY,
  });
  return answer.candidates.filter(({ document }) => document.path === path);
}

/** What is wrong with a gold answer, looked for among the sections that hold any of its words. */
function problemOf(
  { heading, quote }: GoldAnswer,
  sections: readonly Candidate[],
): keyof typeof PROBLEMS | null {
  if (sections.length === 0) return 'path';
  const gold = foldText(quote);
  if (!sections.some(({ section }) => foldText(section.text).includes(gold))) return 'quote';
  const titles = sections.map(({ section }) => section.headingPath.join(' > '));
  if (!titles.some((title) => standsUnder(title, heading))) return 'heading';
  return null;
}

const PROBLEMS = {
  path: 'gold pages are not in the index (or contain none of the words)',
  quote: 'gold quotes are not in any single section of their page',
  heading: 'gold headings match no section of their page',
} as const;

/** How many are named. */
const NAMED = 5;

/** Compares gold answers with the index. @returns one sentence for each kind of problem; none when all fit */
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
    const more = places.length > NAMED ? ', …' : '';
    return [`${places.length} ${PROBLEMS[kind]}: ${places.slice(0, NAMED).join(', ')}${more}`];
  });
}
