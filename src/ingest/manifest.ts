import { parseDocument } from 'yaml';
import { z } from 'zod';
import { InvalidArgumentError } from '../errors.js';

/** The file at the root of a corpus that says what it is. */
export const MANIFEST_NAME = '.pith.yaml';

const word = z.string().min(1).max(128);
const globs = z.array(z.string().min(1).max(512)).max(1_000);

/** The manifest's shape; `config/manifest.schema.json` is made from it. */
export const manifestSchema = z
  .strictObject({
    project: word.optional().describe('Project id. Default: the name of the folder.'),
    environment: word.optional().describe('Environment, such as dev or prod. Default: prod.'),
    repository: word
      .optional()
      .describe('Repository of documents that name none. Default: the name of the git root.'),
    site_urls: z
      .array(z.url().max(2_048))
      .max(32)
      .optional()
      .describe(
        'Where the documents are published; absolute links to these count as links within the corpus.',
      ),
    include: globs.optional().describe('Globs of the files to index. Default: every document.'),
    ignore: globs.optional().describe('Globs of files to leave out.'),
    documents: z
      .array(
        z.strictObject({
          match: globs.min(1).describe('Globs of the documents that this entry is about.'),
          doc_tag: word.optional().describe('Their doc tag, unless their front matter has one.'),
          repository: word.optional().describe('Their repository, unless their front matter has one.'),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Properties by glob; later entries win.'),
  })
  .meta({ title: 'Pith manifest', description: 'What a corpus is: .pith.yaml at its root.' });

export type Manifest = z.output<typeof manifestSchema>;

function refuse(file: string, line: number, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(`${file}:${line}: ${problem}.`, {
    reason: 'manifest_invalid',
    hint: 'Mend the manifest; its schema is config/manifest.schema.json.',
  });
}

/**
 * Reads a manifest.
 * @param file  its path, for messages
 * @throws InvalidArgumentError with file and line for bad YAML, an unknown key or a wrong value
 */
export function parseManifest(text: string, file: string): Manifest {
  const document = parseDocument(text);
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const broken = document.errors[0];
  if (broken) throw refuse(file, lineOf(broken.pos[0]), broken.message.split('\n')[0] ?? 'bad YAML');
  const result = manifestSchema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  const node: unknown = document.getIn(path, true);
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  const offset = Array.isArray(range) ? Number(range[0]) : 0;
  throw refuse(file, lineOf(offset), `${path.join('.') || 'manifest'}: ${issue?.message ?? 'not valid'}`);
}
