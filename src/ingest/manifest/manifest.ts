import { z } from 'zod';
import { valueAt } from '../reading/written-yaml.js';
import { checkMetadata, checkTaxonomy, itemsOf } from './check-names.js';
import { issueFault, type ManifestSource, readSource, valueOf } from './manifest-lines.js';
import {
  descriptionSchema,
  instructionsSchema,
  metadataSchema,
  promptsSchema,
  taxonomySchema,
} from './manifest-parts.js';

/** File name of the manifest at the root of a corpus. */
export const MANIFEST_NAME = '.pith.yaml';

const word = z.string().min(1).max(128);
const globs = z.array(z.string().min(1).max(512)).max(1_000);

/** The schema of a manifest; `config/manifest.schema.json` is generated from it. */
export const manifestSchema = z
  .strictObject({
    project: word.optional().describe('Project id. Default: the name of the folder.'),
    environment: word.optional().describe('Environment, such as dev or prod. Default: prod.'),
    repository: word
      .optional()
      .describe('Repository of documents that do not name one. Default: the name of the git root.'),
    site_urls: z
      .array(z.url().max(2_048))
      .max(32)
      .optional()
      .describe(
        'Base URLs where the documents are published. Absolute links to them count as links within the corpus.',
      ),
    description: descriptionSchema.optional(),
    instructions: instructionsSchema.optional(),
    metadata: metadataSchema.optional().describe('Metadata of all documents, such as their product.'),
    taxonomy: taxonomySchema.optional(),
    prompts: promptsSchema.optional(),
    include: globs.optional().describe('Globs of the files to index. Default: every document.'),
    ignore: globs.optional().describe('Globs of files to leave out.'),
    use_ignore_files: z
      .boolean()
      .optional()
      .describe('Whether .gitignore and .ignore files are respected. Default: true.'),
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

/** A manifest with its source positions. */
export interface OpenManifest {
  readonly manifest: Manifest;
  readonly source: ManifestSource;
}

/**
 * Reads a manifest.
 * @param file  its path, for messages
 * @throws InvalidArgumentError with file and line for bad YAML, an unknown key or a wrong name or value
 */
export function openManifest(text: string, file: string): OpenManifest {
  const source = readSource(text, file);
  const { document } = source;
  const at = (node: unknown, key: string): unknown => valueAt(document, node, key);
  checkMetadata(source, at(document.contents, 'metadata'));
  for (const entry of itemsOf(document, at(document.contents, 'documents')))
    checkMetadata(source, at(entry, 'metadata'));
  checkTaxonomy(source, at(document.contents, 'taxonomy'), 'values');
  const result = manifestSchema.safeParse(valueOf(source));
  if (!result.success) throw issueFault(source, result.error);
  return { manifest: result.data, source };
}
