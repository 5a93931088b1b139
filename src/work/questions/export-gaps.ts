import { csvCell } from '../../governance/ledger/export-lines.js';
import { plainLine } from '../../text/plain-line.js';
import type { GapFacts } from './gap.js';
import { unusedCount } from './usage.js';
import type { UsageFacts } from './usage.service.js';

/** Forms in which gaps leave the server. */
export const GAP_FORMATS = ['json', 'csv', 'markdown'] as const;
export type GapFormat = (typeof GAP_FORMATS)[number];

/** A text in one line of Markdown that has no marks, links or HTML. */
const markdownLine = (text: string): string =>
  plainLine(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>#|!&~@]/g, String.raw`\$&`);

export const askedTimes = (asked: number): string => (asked === 1 ? 'once' : `${asked} times`);

const quoteLine = (text: string): string => `> ${markdownLine(text)}`;

function markdownIssue(facts: GapFacts): string {
  const { gap_id, state, asked, since, last_asked, examples, missing, nearest, add, answer } = facts;
  const complaints = missing.length === 0 ? [] : ['', 'Missing, as callers say:', ...missing.map(quoteLine)];
  const near = nearest
    ? [`- Nearest: ${markdownLine(nearest.title)} (${markdownLine(nearest.section_id)})`]
    : [];
  const found = answer
    ? ['', `Text in ${markdownLine(answer.section_id)}:`, '', quoteLine(answer.quote)]
    : [];
  return [
    `## ${markdownLine(examples[0] ?? '')}`,
    '',
    `- State: ${state}`,
    `- Asked: ${askedTimes(asked)}, first ${since.slice(0, 10)}, last ${last_asked.slice(0, 10)}`,
    ...near,
    `- ${markdownLine(add)}`,
    `- Gap: ${gap_id}`,
    '',
    'Questions:',
    ...examples.map(quoteLine),
    ...complaints,
    ...found,
    '',
  ].join('\n');
}

const COLUMNS: readonly (readonly [name: string, cell: (facts: GapFacts) => unknown])[] = [
  ['gap_id', ({ gap_id }) => gap_id],
  ['state', ({ state }) => state],
  ['asked', ({ asked }) => asked],
  ['asks', ({ asks }) => asks],
  ['since', ({ since }) => since],
  ['last_asked', ({ last_asked }) => last_asked],
  ['question', ({ examples }) => examples[0] ?? ''],
  ['missing', ({ missing }) => missing.join('; ')],
  ['nearest_section', ({ nearest }) => nearest?.section_id ?? ''],
  ['nearest_title', ({ nearest }) => nearest?.title ?? ''],
  ['add', ({ add }) => add],
  ['answer_section', ({ answer }) => answer?.section_id ?? ''],
  ['answer', ({ answer }) => answer?.quote ?? ''],
];

/** A text in one line without what controls terminals. */
const shownCell = (cell: unknown): unknown =>
  typeof cell === 'string' ? plainLine(cell.replace(/\s+/g, ' ')) : cell;

const csvLine = (cells: readonly unknown[]): string =>
  `${cells.map((cell) => csvCell(shownCell(cell))).join(',')}\r\n`;

/** Gaps as a file: a list of objects, rows of CSV (RFC 4180), or Markdown with an issue for each. */
export function exportGaps(gaps: readonly GapFacts[], format: GapFormat): string {
  if (format === 'json') return `${JSON.stringify(gaps, null, 2)}\n`;
  if (format === 'markdown') return gaps.map(markdownIssue).join('\n');
  const head = csvLine(COLUMNS.map(([name]) => name));
  return head + gaps.map((facts) => csvLine(COLUMNS.map(([, cell]) => cell(facts)))).join('');
}

/** A gap for people, in a few lines. */
export function gapLines(facts: GapFacts): string[] {
  const { gap_id, state, asked, since, last_asked, examples, nearest, add, answer } = facts;
  return [
    plainLine(examples[0] ?? ''),
    `  ${state}, asked ${askedTimes(asked)}, ${since.slice(0, 10)} to ${last_asked.slice(0, 10)}, gap ${gap_id}`,
    ...examples.slice(1).map((example) => `  also: ${plainLine(example)}`),
    ...(nearest ? [`  nearest: ${plainLine(nearest.title)} (${plainLine(nearest.section_id)})`] : []),
    ...(answer
      ? [`  text: “${plainLine(answer.quote)}” (${plainLine(answer.section_id)})`]
      : [`  ${plainLine(add)}`]),
    '',
  ];
}

/** Paths of `pith gaps usage`. */
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
    ...block(`Pages that answered none: ${unusedCount(unused)}`, unused.paths.slice(0, MAX_PATHS)),
    ...block(
      'Words that no document contains:',
      words.map(({ word, asked }) => `${word}: ${asked} questions`),
    ),
    ...synonymLines(facts),
  ];
}
