import { plainLine } from '../../text/plain-line.js';
import type { UsageFacts } from './usage.service.js';

const MAX_PATHS = 10;

const rate = ({ asked, answered }: { readonly asked: number; readonly answered: number }): string =>
  `${answered} of ${asked} answered`;

const block = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${plainLine(line)}`)];

/** The entries of `.pith.yaml` that are suggested, as YAML. */
function synonymLines({ words }: UsageFacts): string[] {
  const suggested = words.filter(({ synonyms }) => synonyms.length > 0);
  if (suggested.length === 0) return [];
  return [
    ...['', 'Suggested for .pith.yaml; decide for each if it means the same:', 'synonyms:'],
    ...suggested.map(({ word, asked, synonyms }) => {
      const [best] = synonyms;
      const change = `confidence without it ${best?.confidence}, with the first ${best?.confidence_with}`;
      return `  ${word}: [${synonyms.map(({ synonym }) => synonym).join(', ')}] # asked ${asked} times, ${change}`;
    }),
  ];
}

/** What is used, for people. */
export function usageLines(facts: UsageFacts): string[] {
  const { weeks, most_asked, pages, unused, words } = facts;
  return [
    `Questions: ${rate(facts)}`,
    ...block(
      'By week:',
      weeks.map((each) => `${each.week}: ${rate(each)}`),
    ),
    ...block(
      'Most asked:',
      most_asked.map((each) => `${each.question} (${rate(each)})`),
    ),
    ...block(
      'Pages that answer most:',
      pages.map(({ path, answered }) => `${path}: ${answered}`),
    ),
    ...block(`Pages that answered none: ${unused.count}`, unused.paths.slice(0, MAX_PATHS)),
    ...block(
      'Words that no document contains:',
      words.map(({ word, asked }) => `${word}: ${asked} questions`),
    ),
    ...synonymLines(facts),
  ];
}
