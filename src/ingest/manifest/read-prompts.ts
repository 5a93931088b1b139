import { readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import type { InvalidArgumentError } from '../../core/errors.js';
import { decodeSource } from '../reading/decode-source.js';
import { splitFrontMatter } from '../reading/front-matter.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import { toPrompt } from './declare-corpus.js';
import type { OpenManifest } from './manifest.js';
import { ManifestFault, offsetOf } from './manifest-lines.js';
import type { DeclaredPrompt } from './manifest-parts.js';
import { templateProblem } from './template-problem.js';

/** Largest template file. */
export const MAX_TEMPLATE_BYTES = 65_536;
/** Limit for all prompts of a corpus together, since they are kept in memory. */
export const MAX_PROMPTS_CHARS = 262_144;

const linesBefore = (text: string, offset: number): number => text.slice(0, offset).split('\n').length - 1;

/** The position of a prompt's text. */
interface TemplatePlace {
  readonly file: string;
  /** First line of the text, from 1. */
  readonly line: number;
}

/**
 * Checks that a template can be rendered.
 * @throws InvalidArgumentError with file and line
 */
export function checkTemplate(
  template: string,
  own: DeclaredPrompt['arguments'],
  { file, line }: TemplatePlace,
): string {
  const problem = templateProblem(
    template,
    (own ?? []).map(({ name }) => name),
  );
  if (problem) throw new ManifestFault(file, line + linesBefore(template, problem.offset), problem.reason);
  return template;
}

interface ReadTemplate {
  readonly text: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The text after the front matter; `line` is its first line. */
  readonly body: string;
  readonly line: number;
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

/**
 * Reads a template file, with and without its front matter.
 * @throws ManifestFault for bad text; the error that `toFault` makes for a missing or oversized file
 */
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
    const { frontMatter, problems, body, bodyLine } = splitFrontMatter(text);
    const [broken] = problems;
    if (broken) throw new MalformedDocumentError(broken.line, broken.reason);
    return { text, frontMatter, body: body.replace(/^\n+/, ''), line: bodyLine + leadingLines(body) };
  } catch (error) {
    if (error instanceof MalformedDocumentError)
      throw new ManifestFault(join(root, path), error.line, error.reason);
    throw error;
  }
}

function leadingLines(body: string): number {
  return /^\n*/.exec(body)?.[0].length ?? 0;
}

async function readPrompt(
  root: string,
  { source, manifest }: OpenManifest,
  at: number,
): Promise<CorpusPrompt | null> {
  const prompt = manifest.prompts?.[at];
  if (!prompt) return null;
  const { document, file, lineAt } = source;
  const lineOf = (...path: (string | number)[]): number =>
    lineAt(offsetOf(document, ['prompts', at, ...path]));
  if (prompt.template !== undefined) {
    const { template: path } = prompt;
    const read = await readTemplate(
      root,
      path,
      (problem) => new ManifestFault(file, lineOf('template'), `prompts.${at}.template: ${problem}`),
    );
    const place = { file: join(root, path), line: read.line };
    return toPrompt(prompt, [{ role: 'user', template: checkTemplate(read.body, prompt.arguments, place) }]);
  }
  const messages = (prompt.messages ?? []).map(({ role = 'user' as const, content }, i) => {
    const node: unknown = document.getIn(['prompts', at, 'messages', i, 'content'], true);
    const isBlock =
      typeof node === 'object' && node !== null && 'type' in node && /^BLOCK/.test(String(node.type));
    // The text of a block scalar begins on the next line.
    const line = lineOf('messages', i, 'content') + (isBlock ? 1 : 0);
    return { role, template: checkTemplate(content, prompt.arguments, { file, line }) };
  });
  return toPrompt(prompt, messages);
}

/**
 * Reads the prompts of a manifest, and their template files.
 * @param root  real path of the manifest's folder
 * @throws InvalidArgumentError with file and line
 */
export async function readPrompts(root: string, open: OpenManifest): Promise<CorpusPrompt[]> {
  const { file, lineAt, document } = open.source;
  const prompts: CorpusPrompt[] = [];
  let chars = 0;
  for (const [at, { name }] of (open.manifest.prompts ?? []).entries()) {
    const nameFault = (problem: string): InvalidArgumentError =>
      new ManifestFault(
        file,
        lineAt(offsetOf(document, ['prompts', at, 'name'])),
        `prompts.${at}: ${problem}`,
      );
    if (prompts.some((other) => other.name === name)) throw nameFault(`two prompts are named "${name}"`);
    const prompt = await readPrompt(root, open, at);
    if (!prompt) continue;
    chars += prompt.messages.reduce((sum, { template }) => sum + template.length, 0);
    if (chars > MAX_PROMPTS_CHARS)
      throw nameFault(`all prompts together have more than ${MAX_PROMPTS_CHARS} characters`);
    prompts.push(prompt);
  }
  return prompts;
}
