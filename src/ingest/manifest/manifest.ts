import { z } from 'zod';
import { MAX_DESCRIPTION, MAX_INSTRUCTIONS } from '../../core/corpus-facts.js';
import { MAX_GROUP_CHARS, MAX_LIST_GROUPS } from '../../core/document-groups.js';
import { KEY, MAX_VALUE_CHARS } from '../reading/document-metadata.js';
import { checkedManifest, type ManifestSource, readSource } from './manifest-lines.js';
import { synonymsSchema } from './synonyms.js';

const MAX_TEMPLATE_CHARS = 32_000;
const MAX_ENTRIES = 64;

const text = (maxChars: number): z.ZodString => z.string().min(1).max(maxChars);
const flag = (description: string): z.ZodOptional<z.ZodBoolean> =>
  z.boolean().optional().describe(description);
const word = text(128);
const globs = z.array(text(512)).max(1_000);
const groups = z.array(text(MAX_GROUP_CHARS)).min(1).max(MAX_LIST_GROUPS);
const few = (values: object): boolean => Object.keys(values).length <= MAX_ENTRIES;
const TOO_MANY = `at most ${MAX_ENTRIES} entries`;

export const instructionsSchema = text(MAX_INSTRUCTIONS).describe(
  'Instructions that a server sends to every client at the start of a session.',
);

/** Numbers keep their spelling (7.10 stays 7.10), because `checkMetadata` first replaces them by their source text. */
export const metadataSchema = z
  .record(z.string().regex(KEY), z.union([z.string().max(1_024), z.number(), z.boolean()]))
  .refine(few, TOO_MANY);

const valueSchema = z.strictObject({
  resource: flag('Whether documents with this value are available as resources.'),
});

const taxonomySchema = z
  .record(
    z.string().regex(KEY),
    z.strictObject({
      description: text(MAX_DESCRIPTION).optional().describe('The meaning of the key, for agents.'),
      collapse: flag(
        'Whether a section that exists under several values is returned once: true always, false never. Default: only when the texts are nearly equal.',
      ),
      current: text(MAX_VALUE_CHARS)
        .optional()
        .describe('The value that stands for equal sections, such as "7.4". Default: the newest version.'),
      resource: flag('Whether documents with any value are available as resources.'),
      values: z
        .record(text(MAX_VALUE_CHARS), valueSchema)
        .refine((values) => Object.keys(values).length <= 512, 'at most 512 values')
        .optional()
        .describe('Properties of single values.'),
    }),
  )
  .refine(few, TOO_MANY)
  .describe('Taxonomy keys that distinguish documents.');

const argumentSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'use letters, digits, "_" and "-", starting with a letter'),
  title: z.string().max(200).optional(),
  description: z.string().max(500).optional(),
  required: z.boolean().optional(),
});

export const promptNameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_./ -]{0,127}$/u, 'use at most 128 letters, digits, spaces and "_./-"');

export const promptFacts = {
  title: text(200).optional(),
  description: text(1_000).optional(),
  arguments: z.array(argumentSchema).max(32).optional(),
};

const messageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']).optional().describe('Default: user.'),
  content: text(MAX_TEMPLATE_CHARS).describe('The text, a Mustache template.'),
});

const promptsSchema = z
  .array(
    z
      .strictObject({
        name: promptNameSchema,
        ...promptFacts,
        template: text(512)
          .optional()
          .describe('A file with the text, a Mustache template. It is inside the folder and is not indexed.'),
        messages: z.array(messageSchema).min(1).max(16).optional().describe('The texts, instead of a file.'),
      })
      .refine(
        ({ template, messages }) => (template === undefined) !== (messages === undefined),
        'needs either `template` or `messages`',
      ),
  )
  .max(MAX_ENTRIES)
  .describe('Prompts that a server offers.');

export type DeclaredPrompt = z.output<typeof promptsSchema>[number];
export type DeclaredTaxonomy = z.output<typeof taxonomySchema>;

/** File name of the manifest at the root of a corpus. */
export const MANIFEST_NAME = '.pith.yaml';

const secretSchema = z
  .string()
  .regex(
    /^(?:[A-Za-z_][A-Za-z0-9_]{0,127}|file:.{1,512})$/,
    'name a variable of the environment, or file:PATH',
  );

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** More often would be a burden for the source. */
const MIN_INTERVAL_MS = 30_000;
/** Timers hold at most 2^31 - 1 ms, and fire at once for more. */
const MAX_INTERVAL_MS = 24 * 86_400_000;

/** Milliseconds of an interval such as `15m`; NaN for other texts. */
export const intervalMs = (every: string): number =>
  Number(every.slice(0, -1)) * (UNIT_MS[every.slice(-1)] ?? NaN);

const isInterval = (every: string): boolean =>
  intervalMs(every) >= MIN_INTERVAL_MS && intervalMs(every) <= MAX_INTERVAL_MS;

const sourcesSchema = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'use at most 64 lower-case letters, digits, ".", "_" and "-"')
        .optional()
        .describe('Unique name; paths of its documents begin with it. Default: made of the address.'),
      kind: z
        .enum(['folder', 'file', 'archive', 'git', 'site'])
        .optional()
        .describe('Default: by the address.'),
      address: text(2_048).describe('A path, or an address of https, http, file or ssh.'),
      branch: text(200).optional().describe('Branch or tag of a repository. Default: its own.'),
      path: text(512).optional().describe('Folder or file in a repository. Default: everything.'),
      include: globs.optional().describe('Globs of the files to index. Default: every document.'),
      exclude: globs.optional().describe('Globs of files to leave out.'),
      doc_tag: word.optional().describe('Doc tag of its documents. Default: the name.'),
      repository: text(300).optional().describe('Repository of its documents. Default: the address.'),
      version: word
        .optional()
        .describe(
          'Metadata `version` of its documents. Default: by the names of their folders, of the branch or the tag.',
        ),
      allow: groups.optional().describe('Groups that may see its documents. Default: everybody.'),
      trust: flag('Whether its documents are trusted. Default: true for paths, false for addresses.'),
      secret: secretSchema
        .optional()
        .describe('Where a token is: the name of a variable of the environment, or file:PATH.'),
      every: z
        .string()
        .regex(/^[1-9]\d{0,3}(?:s|m|h|d)$/, {
          error: 'use a number with s, m, h or d, such as 15m',
          abort: true,
        })
        .refine(isInterval, 'use at least 30s and at most 24d')
        .optional()
        .describe(
          'How often a server looks for changes, such as 15m; 30s to 24d. Default: only at its start.',
        ),
      hook_secret: secretSchema
        .optional()
        .describe('Where the secret of its push webhook is: a variable of the environment, or file:PATH.'),
      allowed_hosts: z
        .array(text(255))
        .max(32)
        .optional()
        .describe('Hosts inside the machine or its networks that may be asked.'),
    }),
  )
  .max(MAX_ENTRIES)
  .describe('Sources that are indexed with this folder.');

export type DeclaredSource = z.output<typeof sourcesSchema>[number];

/** The schema of a manifest; `config/manifest.schema.json` is generated from it. */
const manifestSchema = z
  .strictObject({
    project: word.optional().describe('Project id. Default: the name of the folder.'),
    environment: word.optional().describe('Environment, such as dev or prod. Default: prod.'),
    repository: word
      .optional()
      .describe('Repository of documents that do not name one. Default: the name of the git root.'),
    trusted: flag(
      'Whether the documents are trusted. Quotes from others are put between marks, so that agents do not take them for instructions. Default: true.',
    ),
    repositories: z
      .record(word, z.strictObject({ trusted: flag('Whether documents of this repository are trusted.') }))
      .refine(few, TOO_MANY)
      .optional()
      .describe('Properties of repositories, by name. Default of `trusted`: the setting above.'),
    site_urls: z
      .array(z.url().max(2_048))
      .max(32)
      .optional()
      .describe(
        'Base URLs where the documents are published. Absolute links to them count as links within the corpus.',
      ),
    description: text(MAX_DESCRIPTION)
      .describe('A short name of the documents, such as "Harbour handbook". Tool descriptions contain it.')
      .optional(),
    instructions: instructionsSchema.optional(),
    metadata: metadataSchema.optional().describe('Metadata of all documents, such as their product.'),
    taxonomy: taxonomySchema.optional(),
    synonyms: synonymsSchema.optional(),
    prompts: promptsSchema.optional(),
    include: globs.optional().describe('Globs of the files to index. Default: every document.'),
    ignore: globs.optional().describe('Globs of files to leave out.'),
    use_ignore_files: flag('Whether .gitignore and .ignore files are respected. Default: true.'),
    sources: sourcesSchema.optional(),
    allow_file: text(512)
      .optional()
      .describe(
        'A file with lines of a pattern and groups, like CODEOWNERS: who may see which documents. The last pattern that matches decides.',
      ),
    documents: z
      .array(
        z.strictObject({
          match: globs.min(1).describe('Globs of the documents that this entry applies to.'),
          doc_tag: word.optional().describe('Doc tag of these documents, unless their front matter has one.'),
          repository: word
            .optional()
            .describe('Repository of these documents, unless their front matter has one.'),
          metadata: metadataSchema
            .optional()
            .describe('Metadata of these documents, added to the metadata above.'),
          allow: groups.optional().describe('Groups that may see these documents; "*" for everybody.'),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Properties by glob; later entries win.'),
  })
  .meta({ title: 'Pith manifest', description: 'The properties of a corpus: .pith.yaml at its root.' });

/** The JSON Schema of a manifest, for editors. */
export function manifestJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(manifestSchema, { target: 'draft-2020-12', io: 'input' });
}

export type Manifest = z.output<typeof manifestSchema>;

export interface OpenManifest {
  readonly manifest: Manifest;
  readonly source: ManifestSource;
}

/** Reads a manifest. @throws ManifestFault for bad YAML, an unknown key or a wrong name or value */
export function openManifest(yaml: string, file: string): OpenManifest {
  const source = readSource(yaml, file);
  return {
    manifest: checkedManifest(source, manifestSchema, { list: 'documents', values: 'values' }),
    source,
  };
}
