import { z } from 'zod';
import { decodePath, pagePath } from '../../../core/section-id.js';

/** A gold quote, with its page and heading. */
export const goldAnswerSchema = z.object({
  /** Path of the page, relative to the indexed folder. */
  path: z.string().min(1),
  /** The nearest heading above the quote; `(top)` for text above the first heading; empty for any heading. */
  heading: z.string().default(''),
  /** Verbatim from the page. */
  quote: z.string().min(1),
  /** Answers of one group are alternatives; a question is answered if every group has a match. */
  group: z.int().default(0),
});

export type GoldAnswer = Readonly<z.output<typeof goldAnswerSchema>>;

/** Normalizes a text: folds white space and case, removes Markdown marks. Must match `score-evidence.mjs` exactly. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_>#|\\]/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

const countWords = (folded: string): number => folded.split(' ').filter(Boolean).length;

/** True when a folded quote contains the gold quote, or is part of it and has at least half of its words. */
export function matchesGold(quote: string, gold: string): boolean {
  const [got, wanted] = [foldText(quote), foldText(gold)];
  if (got === '') return false;
  return got.includes(wanted) || (wanted.includes(got) && countWords(got) >= countWords(wanted) / 2);
}

/** The path of a section's page: its id up to the `#`, decoded. */
export function pageOf(sectionId: string): string {
  return decodePath(pagePath(sectionId));
}

const SEPARATOR = '\u0000';
const foldTitle = (title: string): string => title.split(' > ').map(foldText).join(SEPARATOR);

const TOP = '(top)';

/**
 * True when a section is directly under a heading: its heading path ends with that heading, both folded. Sections
 * under a subheading don't match. `(top)` is the text directly under the document title; an empty heading matches
 * everything.
 * @param title  headings from the document title down, joined by ` > `
 */
export function isDirectlyUnder(title: string, heading: string): boolean {
  if (heading === '') return true;
  if (heading === TOP) return !title.includes(' > ');
  const [path, wanted] = [foldTitle(title), foldTitle(heading)];
  return path === wanted || path.endsWith(`${SEPARATOR}${wanted}`);
}

/** True when each group of answers has an answer for which `holds` is true; false without answers. */
export function holdsForEveryGroup(
  answers: readonly GoldAnswer[],
  holds: (answer: GoldAnswer) => boolean,
): boolean {
  const groups = [...new Set(answers.map(({ group }) => group))];
  if (groups.length === 0) return false;
  return groups.every((group) => answers.some((answer) => answer.group === group && holds(answer)));
}
