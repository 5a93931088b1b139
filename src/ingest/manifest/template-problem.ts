import { Writer } from 'mustache';

/** Where a template is wrong, and why. */
export interface TemplateProblem {
  /** In the template. */
  readonly offset: number;
  readonly reason: string;
}

/** As Mustache's parser gives it: type, text, start, end, and what lies within. */
interface Tag {
  readonly type: string;
  readonly name: string;
  readonly offset: number;
  readonly within: readonly unknown[];
}

function toTag(token: unknown): Tag {
  const [type, name, offset, , within]: unknown[] = Array.isArray(token) ? token : [];
  return {
    type: String(type),
    name: String(name),
    offset: Number(offset),
    within: Array.isArray(within) ? within : [],
  };
}

function problemOf(
  { type, name, offset }: Tag,
  known: readonly string[],
  isInside: boolean,
): TemplateProblem | null {
  if (type === 'text' || type === '!' || type === '=') return null;
  if (type === '>')
    return { offset, reason: `{{> ${name}}} includes another template, which is not supported` };
  if (name === '.' ? isInside : known.includes(name)) return null;
  return { offset, reason: `{{${name}}} is not one of the arguments` };
}

function firstProblem(
  tokens: readonly unknown[],
  known: readonly string[],
  isInside: boolean,
): TemplateProblem | null {
  for (const tag of tokens.map(toTag)) {
    const problem = problemOf(tag, known, isInside) ?? firstProblem(tag.within, known, true);
    if (problem) return problem;
  }
  return null;
}

/** Mustache names the end of what was never closed; its beginning is what has to be mended. */
function whereOpened(template: string, message: string): number | null {
  const [, section] = /^Unclosed section "(.*)"/.exec(message) ?? [];
  const marks = section === undefined ? ['{{'] : [`{{#${section}`, `{{^${section}`];
  const at = Math.max(...marks.map((mark) => template.lastIndexOf(mark)));
  return message.startsWith('Unclosed') && at >= 0 ? at : null;
}

/** Finds what is wrong with a template in Mustache; null when nothing is. @param known  names that it may use */
export function templateProblem(template: string, known: readonly string[]): TemplateProblem | null {
  try {
    return firstProblem(new Writer().parse(template), known, false);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const end = Number(/ at (\d+)$/.exec(message)?.[1] ?? 0);
    return { offset: whereOpened(template, message) ?? end, reason: message.replace(/ at \d+$/, '') };
  }
}
