import { join } from 'node:path';
import { z } from 'zod';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import type { Remark } from '../../core/indexed-document.js';
import { type DeclaredPrompt, type OpenManifest, promptFacts, promptNameSchema } from './manifest.js';
import { ManifestFault, type ManifestSource, offsetOf, parseSource, readSource } from './manifest-lines.js';
import { checkTemplate, MAX_PROMPTS_CHARS, promptChars, readTemplate, toPrompt } from './prompt-template.js';

const MAX_PROMPTS = 64;
const SUFFIX = /\.template\.(?:md|yaml)$/;

const shortSchema = z.object(promptFacts);
const content = z.string().min(1).max(32_000);
const messagesSchema = z.object({
  ...promptFacts,
  messages: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        content: z.union([content, z.object({ type: z.literal('text').optional(), text: content })]),
      }),
    )
    .min(1)
    .max(16),
});

/** True for the file name of a docs-mcp prompt. */
export function isTemplate(path: string): boolean {
  return SUFFIX.test(path);
}

async function readPrompt(
  root: string,
  { document, file, lineAt }: ManifestSource,
  { at, prompt }: { readonly at: number; readonly prompt: DeclaredPrompt },
): Promise<CorpusPrompt> {
  const lineOf = (...path: (string | number)[]): number =>
    lineAt(offsetOf(document, ['prompts', at, ...path]));
  if (prompt.template !== undefined) {
    const { body, line } = await readTemplate(
      root,
      prompt.template,
      (problem) => new ManifestFault(file, lineOf('template'), `prompts.${at}.template: ${problem}`),
    );
    const place = { file: join(root, prompt.template), line };
    return toPrompt(prompt, [{ role: 'user', template: checkTemplate(body, prompt.arguments, place) }]);
  }
  const messages = (prompt.messages ?? []).map(({ role = 'user' as const, content: text }, i) => {
    const node: unknown = document.getIn(['prompts', at, 'messages', i, 'content'], true);
    const isBlock =
      typeof node === 'object' && node !== null && 'type' in node && /^BLOCK/.test(String(node.type));
    // The text of a block scalar begins on the next line.
    const line = lineOf('messages', i, 'content') + (isBlock ? 1 : 0);
    return { role, template: checkTemplate(text, prompt.arguments, { file, line }) };
  });
  return toPrompt(prompt, messages);
}

/** Reads the prompts of a manifest, and their template files. @throws ManifestFault */
export async function readPrompts(root: string, open: OpenManifest): Promise<CorpusPrompt[]> {
  const { file, lineAt, document } = open.source;
  const prompts: CorpusPrompt[] = [];
  let chars = 0;
  for (const [at, declared] of (open.manifest.prompts ?? []).entries()) {
    const { name } = declared;
    const fault = (problem: string): ManifestFault => {
      const line = lineAt(offsetOf(document, ['prompts', at, 'name']));
      return new ManifestFault(file, line, `prompts.${at}: ${problem}`);
    };
    if (prompts.some((other) => other.name === name)) throw fault(`two prompts are named "${name}"`);
    const prompt = await readPrompt(root, open.source, { at, prompt: declared });
    chars += promptChars(prompt);
    if (chars > MAX_PROMPTS_CHARS)
      throw fault(`all prompts together have more than ${MAX_PROMPTS_CHARS} characters`);
    prompts.push(prompt);
  }
  return prompts;
}

/** Reads a docs-mcp prompt. @param path  relative to the root, with forward slashes @throws ManifestFault */
async function readTemplatePrompt(root: string, path: string): Promise<CorpusPrompt> {
  const fault = (problem: string): ManifestFault => new ManifestFault(path, 1, problem);
  const name = path.replace(SUFFIX, '');
  const checked = promptNameSchema.safeParse(name);
  if (!checked.success)
    throw fault(`its file name is not a valid prompt name: ${checked.error.issues[0]?.message}`);
  const { text, frontMatter, body, line } = await readTemplate(root, path, fault);
  if (path.endsWith('.yaml')) return readMessages(text, path, name);
  const facts = shortSchema.safeParse(frontMatter);
  if (!facts.success) {
    const [issue] = facts.error.issues;
    throw fault(`front matter: ${issue?.path.map(String).join('.')}: ${issue?.message}`);
  }
  const template = checkTemplate(body, facts.data.arguments, { file: path, line });
  return toPrompt({ name, ...facts.data }, [{ role: 'user', template }]);
}

function readMessages(text: string, file: string, name: string): CorpusPrompt {
  const source = readSource(text, file);
  const { messages: written, ...facts } = parseSource(source, messagesSchema);
  const messages = written.map(({ role, content: own }, at) => {
    const line = source.lineAt(offsetOf(source.document, ['messages', at]));
    const template = typeof own === 'string' ? own : own.text;
    return { role, template: checkTemplate(template, facts.arguments, { file, line }) };
  });
  return toPrompt({ name, ...facts }, messages);
}

/**
 * Reads prompts from files next to the documents: `NAME.template.yaml` or, with lower precedence, `NAME.template.md`.
 * An invalid template gives a remark instead of a prompt.
 * @param paths  sorted
 */
export async function templatePrompts(
  root: string,
  paths: readonly string[],
): Promise<{ readonly prompts: readonly CorpusPrompt[]; readonly remarks: readonly Remark[] }> {
  const remarks: Remark[] = [];
  const prompts: CorpusPrompt[] = [];
  let chars = 0;
  for (const path of paths) {
    if (path.endsWith('.md') && paths.includes(path.replace(/\.md$/, '.yaml'))) {
      const reason = 'ignored because a .template.yaml file has the same name';
      remarks.push({ path, reason, isProblem: false });
      continue;
    }
    try {
      const prompt = await readTemplatePrompt(root, path);
      chars += promptChars(prompt);
      if (prompts.length === MAX_PROMPTS || chars > MAX_PROMPTS_CHARS) {
        const limits = `${MAX_PROMPTS} prompts and ${MAX_PROMPTS_CHARS} characters in total`;
        throw new ManifestFault(path, 1, `too many prompts: the limit is ${limits}`);
      }
      prompts.push(prompt);
    } catch (error) {
      if (!(error instanceof ManifestFault)) throw error;
      remarks.push({ path: `${path}:${error.line}`, reason: error.problem, isProblem: true });
    }
  }
  return { prompts, remarks };
}
