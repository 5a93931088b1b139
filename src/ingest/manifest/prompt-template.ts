import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Writer } from 'mustache';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import type { InvalidArgumentError } from '../../core/errors.js';
import { decodeSource } from '../reading/decode-source.js';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { DeclaredPrompt } from './manifest.js';
import { ManifestFault } from './manifest-lines.js';

const MAX_TEMPLATE_BYTES = 65_536;
/** Limit for all prompts of a corpus together, since they are kept in memory. */
export const MAX_PROMPTS_CHARS = 262_144;

interface TemplateProblem {
  readonly offset: number;
  readonly reason: string;
}

/** Finds the first error in parsed tokens: arrays of type, text, start, end and nested tokens. */
function firstProblem(
  tokens: readonly unknown[],
  known: readonly string[],
  isInside: boolean,
): TemplateProblem | null {
  for (const token of tokens) {
    const [type, written, start, , nested]: unknown[] = Array.isArray(token) ? token : [];
    const [name, offset] = [String(written), Number(start)];
    if (type === 'text' || type === '!' || type === '=') continue;
    if (type === '>')
      return { offset, reason: `{{> ${name}}} includes another template, which is not supported` };
    if (name === '.' ? !isInside : !known.includes(name))
      return { offset, reason: `{{${name}}} is not one of the arguments` };
    const problem = firstProblem(Array.isArray(nested) ? nested : [], known, true);
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

/** Checks that a template can be rendered. @param line  of its start in the file, from 1 @throws ManifestFault */
export function checkTemplate(
  template: string,
  own: DeclaredPrompt['arguments'],
  { file, line }: { readonly file: string; readonly line: number },
): string {
  const names = (own ?? []).map(({ name }) => name);
  const problem = templateProblem(template, names);
  if (!problem) return template;
  const before = template.slice(0, problem.offset).split('\n').length - 1;
  throw new ManifestFault(file, line + before, problem.reason);
}

/** Resolves a file and its size; null if it is not a regular file or if its real path is outside the folder. */
async function insideFolder(root: string, path: string): Promise<{ file: string; size: number } | null> {
  const file = await realpath(join(root, path)).catch(() => null);
  if (file === null) return null;
  const place = relative(root, file);
  if (place === '..' || place.startsWith(`..${sep}`)) return null;
  const found = await stat(file);
  return found.isFile() ? { file, size: found.size } : null;
}

interface ReadTemplate {
  /** The whole file. */
  readonly text: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The text after the front matter. */
  readonly body: string;
  /** First line of the body, from 1. */
  readonly line: number;
}

/** Reads a template file. @throws ManifestFault, or the error of `toFault` for a missing or oversized file */
export async function readTemplate(
  root: string,
  path: string,
  toFault: (problem: string) => InvalidArgumentError,
): Promise<ReadTemplate> {
  const found = await insideFolder(root, path);
  if (found === null) throw toFault(`the file ${path} does not exist in the folder`);
  if (found.size > MAX_TEMPLATE_BYTES)
    throw toFault(`${path} has ${found.size} bytes; a template has at most ${MAX_TEMPLATE_BYTES}`);
  const bytes = await readFile(found.file).catch(() => null);
  if (bytes === null) throw toFault(`${path} can't be read`);
  try {
    const text = decodeSource(bytes);
    const { frontMatter, problems, body: whole, bodyLine } = splitFrontMatter(text);
    const [broken] = problems;
    if (broken) throw new MalformedDocumentError(broken.line, broken.reason);
    const body = whole.replace(/^\n+/, '');
    return { text, frontMatter, body, line: bodyLine + whole.length - body.length };
  } catch (error) {
    if (error instanceof MalformedDocumentError)
      throw new ManifestFault(join(root, path), error.line, error.reason);
    throw error;
  }
}

export function toPrompt(
  { name, title, description, arguments: own = [] }: Omit<DeclaredPrompt, 'template' | 'messages'>,
  messages: CorpusPrompt['messages'],
): CorpusPrompt {
  return {
    name,
    title: title ?? null,
    description: description ?? null,
    arguments: own.map((argument) => ({
      name: argument.name,
      description: argument.description ?? argument.title ?? null,
      isRequired: argument.required ?? false,
    })),
    messages,
  };
}

export function promptChars({ messages }: CorpusPrompt): number {
  return messages.reduce((sum, { template }) => sum + template.length, 0);
}
