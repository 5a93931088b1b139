import { isMap, parseDocument, visit } from 'yaml';
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
          metadata: z
            .record(word, z.union([z.string().max(1_024), z.number(), z.boolean()]))
            .refine((values) => Object.keys(values).length <= 64, 'at most 64 entries')
            .optional()
            .describe('Further properties, kept with each document.'),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Properties by glob; later entries win.'),
  })
  .meta({ title: 'Pith manifest', description: 'What a corpus is: .pith.yaml at its root.' });

/** The same for editors. */
export function manifestJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(manifestSchema, { target: 'draft-2020-12', io: 'input' });
}

export type Manifest = z.output<typeof manifestSchema>;

function refuse(file: string, line: number, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(`${file}:${line}: ${problem}.`, {
    reason: 'manifest_invalid',
    hint: 'Mend the manifest; its schema is config/manifest.schema.json.',
  });
}

type YamlDocument = ReturnType<typeof parseDocument>;

const rangeOf = (node: unknown): number | null => {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  return Array.isArray(range) ? Number(range[0]) : null;
};

/** Where an issue lies: at the key it names, else at the nearest thing around it that is there. */
function offsetOf(document: YamlDocument, issue: z.core.$ZodIssue): number {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const [unknownKey] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  const parent = path.length === 0 ? document.contents : document.getIn(path, true);
  if (unknownKey !== undefined && isMap(parent)) {
    const pair = parent.items.find(({ key }) => String(key) === unknownKey);
    return rangeOf(pair?.key) ?? 0;
  }
  for (let length = path.length; length > 0; length--) {
    const offset = rangeOf(document.getIn(path.slice(0, length), true));
    if (offset !== null) return offset;
  }
  return 0;
}

/** Where an alias stands that names nothing; null when all of them name something. */
function danglingAlias(document: YamlDocument): number | null {
  let at: number | null = null;
  visit(document, {
    Alias: (_, alias) => {
      if (!alias.resolve(document)) at ??= rangeOf(alias);
    },
  });
  return at;
}

function toValue(document: YamlDocument, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    // Aliases that unfold without end.
    throw refuse(file, 1, error instanceof Error ? error.message : 'bad YAML');
  }
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
  const dangling = danglingAlias(document);
  if (dangling !== null) throw refuse(file, lineOf(dangling), 'an alias that names nothing');
  const result = manifestSchema.safeParse(toValue(document, file));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw refuse(file, 1, 'not valid');
  throw refuse(
    file,
    lineOf(offsetOf(document, issue)),
    `${issue.path.join('.') || 'manifest'}: ${issue.message}`,
  );
}
