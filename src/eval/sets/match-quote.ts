import { decodePath } from '../../core/section-id.js';

/** A gold quote, and the page and heading where it stands. */
export interface GoldAnswer {
  /** Relative to the indexed folder. */
  readonly path: string;
  /** The nearest heading above the quote; `(top)` for the text above the first one; empty when it does not matter. */
  readonly heading: string;
  /** Verbatim from the page. */
  readonly quote: string;
  /** Answers of one group stand for one another; a question is answered when each group is. */
  readonly group: number;
}

/**
 * What is left of a text when white space, case and Markdown's marks don't count; the rule of `score-evidence.mjs`,
 * to the letter.
 */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_>#|\\]/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

const countWords = (folded: string): number => folded.split(' ').filter(Boolean).length;

/** Whether a quote shows a gold quote: folded, it contains it, or is contained in it and has at least half of its words. */
export function matchesGold(quote: string, gold: string): boolean {
  const [got, wanted] = [foldText(quote), foldText(gold)];
  if (got === '') return false;
  return got.includes(wanted) || (wanted.includes(got) && countWords(got) >= countWords(wanted) / 2);
}

/** The path of the page that a section belongs to: its id up to the `#`, decoded. */
export function pageOf(sectionId: string): string {
  return decodePath(sectionId.split('#')[0] ?? '');
}

const SEPARATOR = '\u0000';
const foldTitle = (title: string): string => title.split(' > ').map(foldText).join(SEPARATOR);

const TOP = '(top)';

/**
 * Whether a section stands right under a heading: the last headings of its path are that heading, folded as quotes are.
 * Sections below a heading of their own don't count. `(top)` is the text right under the document's title, and the empty
 * heading is any.
 * @param title  headings from the document's title down, joined by ` > `
 */
export function standsUnder(title: string, heading: string): boolean {
  if (heading === '') return true;
  if (heading === TOP) return !title.includes(' > ');
  const [path, wanted] = [foldTitle(title), foldTitle(heading)];
  return path === wanted || path.endsWith(`${SEPARATOR}${wanted}`);
}

/**
 * Whether each group of a question's answers has one for which `holds` is true.
 * @returns false for no answers
 */
export function holdsForEveryGroup(
  answers: readonly GoldAnswer[],
  holds: (answer: GoldAnswer) => boolean,
): boolean {
  const groups = [...new Set(answers.map(({ group }) => group))];
  if (groups.length === 0) return false;
  return groups.every((group) => answers.some((answer) => answer.group === group && holds(answer)));
}
