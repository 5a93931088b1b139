import { z } from 'zod';
import type { CorpusPrompt } from '../../core/corpus-facts.js';
import type { Remark } from '../walk-folder.js';
import { toPrompt } from './declare-corpus.js';
import { issueFault, ManifestFault, offsetOf, readSource, valueOf } from './manifest-lines.js';
import { promptFacts, promptNameSchema } from './manifest-parts.js';
import { checkTemplate, MAX_PROMPTS_CHARS, readTemplate } from './read-prompts.js';

const MAX_PROMPTS = 64;
const SUFFIX = /\.template\.(?:md|yaml)$/;

/** True for the file name of a docs-mcp prompt. */
export function isTemplate(path: string): boolean {
  return SUFFIX.test(path);
}

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

interface TemplateFile {
  /** Real path. */
  readonly root: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
}

async function readShort({ root, path }: TemplateFile, name: string): Promise<CorpusPrompt> {
  const { frontMatter, body, line } = await readTemplate(
    root,
    path,
    (problem) => new ManifestFault(path, 1, problem),
  );
  const facts = shortSchema.safeParse(frontMatter);
  if (!facts.success) {
    const [issue] = facts.error.issues;
    throw new ManifestFault(path, 1, `front matter: ${issue?.path.map(String).join('.')}: ${issue?.message}`);
  }
  const template = checkTemplate(body, facts.data.arguments, { file: path, line });
  return toPrompt({ name, ...facts.data }, [{ role: 'user', template }]);
}

async function readStructured({ root, path }: TemplateFile, name: string): Promise<CorpusPrompt> {
  const { text } = await readTemplate(root, path, (problem) => new ManifestFault(path, 1, problem));
  const source = readSource(text, path);
  const read = messagesSchema.safeParse(valueOf(source));
  if (!read.success) throw issueFault(source, read.error);
  const messages = read.data.messages.map(({ role, content: own }, at) => {
    const line = source.lineAt(offsetOf(source.document, ['messages', at]));
    const template = typeof own === 'string' ? own : own.text;
    return { role, template: checkTemplate(template, read.data.arguments, { file: path, line }) };
  });
  return toPrompt({ name, ...read.data }, messages);
}

async function readOne(file: TemplateFile): Promise<CorpusPrompt> {
  const name = file.path.replace(SUFFIX, '');
  const checked = promptNameSchema.safeParse(name);
  if (!checked.success)
    throw new ManifestFault(
      file.path,
      1,
      `its file name is not a valid prompt name: ${checked.error.issues[0]?.message}`,
    );
  return file.path.endsWith('.yaml') ? readStructured(file, name) : readShort(file, name);
}

/** Prompts, and remarks on templates without one. */
export interface TemplatePrompts {
  readonly prompts: readonly CorpusPrompt[];
  readonly remarks: readonly Remark[];
}

/**
 * Reads prompts from files next to the documents: `NAME.template.yaml` or, with lower precedence, `NAME.template.md`.
 * An invalid template gives a remark instead of a prompt.
 * @param paths  sorted
 */
export async function templatePrompts(root: string, paths: readonly string[]): Promise<TemplatePrompts> {
  const remarks: Remark[] = [];
  const prompts: CorpusPrompt[] = [];
  let chars = 0;
  for (const path of paths) {
    if (path.endsWith('.md') && paths.includes(path.replace(/\.md$/, '.yaml'))) {
      remarks.push({
        path,
        reason: 'ignored because a .template.yaml file has the same name',
        isProblem: false,
      });
      continue;
    }
    try {
      const prompt = await readOne({ root, path });
      chars += prompt.messages.reduce((sum, { template }) => sum + template.length, 0);
      if (prompts.length === MAX_PROMPTS || chars > MAX_PROMPTS_CHARS)
        throw new ManifestFault(
          path,
          1,
          `too many prompts: the limit is ${MAX_PROMPTS} prompts and ${MAX_PROMPTS_CHARS} characters in total`,
        );
      prompts.push(prompt);
    } catch (error) {
      if (!(error instanceof ManifestFault)) throw error;
      remarks.push({ path: `${path}:${error.line}`, reason: error.problem, isProblem: true });
    }
  }
  return { prompts, remarks };
}
