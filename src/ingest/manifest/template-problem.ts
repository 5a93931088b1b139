import { Writer } from 'mustache';

/** An error in a template. */
export interface TemplateProblem {
  /** Offset in the template. */
  readonly offset: number;
  readonly reason: string;
}

/** A token of Mustache's parser, which gives arrays of type, text, start, end and nested tokens. */
interface MustacheToken {
  readonly type: string;
  readonly name: string;
  readonly offset: number;
  readonly children: readonly unknown[];
}

function toToken(token: unknown): MustacheToken {
  const [type, name, offset, , children]: unknown[] = Array.isArray(token) ? token : [];
  return {
    type: String(type),
    name: String(name),
    offset: Number(offset),
    children: Array.isArray(children) ? children : [],
  };
}

function problemOf(
  { type, name, offset }: MustacheToken,
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
  for (const token of tokens.map(toToken)) {
    const problem = problemOf(token, known, isInside) ?? firstProblem(token.children, known, true);
    if (problem) return problem;
  }
  return null;
}

/** The start of an unclosed tag or section. Mustache reports the end of the template, but the start needs fixing. */
function whereOpened(template: string, message: string): number | null {
  const [, section] = /^Unclosed section "(.*)"/.exec(message) ?? [];
  const marks = section === undefined ? ['{{'] : [`{{#${section}`, `{{^${section}`];
  const at = Math.max(...marks.map((mark) => template.lastIndexOf(mark)));
  return message.startsWith('Unclosed') && at >= 0 ? at : null;
}

/** Finds the first error in a Mustache template; null if there is none. @param known  names of the arguments */
export function templateProblem(template: string, known: readonly string[]): TemplateProblem | null {
  try {
    return firstProblem(new Writer().parse(template), known, false);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const end = Number(/ at (\d+)$/.exec(message)?.[1] ?? 0);
    return { offset: whereOpened(template, message) ?? end, reason: message.replace(/ at \d+$/, '') };
  }
}
