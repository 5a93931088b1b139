import { z } from 'zod';
import { KEY } from '../reading/metadata-entry.js';
import { offsetOfNode, pairsOf, valueAt, writtenText } from '../reading/written-yaml.js';
import type { Remark } from '../walk-folder.js';
import { checkMetadata, checkTaxonomy, itemsOf } from './check-names.js';
import { issueFault, ManifestFault, type ManifestSource, readSource, valueOf } from './manifest-lines.js';
import { instructionsSchema, metadataSchema } from './manifest-parts.js';

/** File name of docs-mcp manifests, which may be in any folder. */
export const DOCS_MCP_NAME = '.docs-mcp.json';

const schema = z.object({
  metadata: metadataSchema.optional(),
  taxonomy: z
    .record(
      z.string().regex(KEY),
      z.object({
        vector_collapse: z.boolean().optional(),
        properties: z.record(z.string(), z.object({ mcp_resource: z.boolean().optional() })).optional(),
      }),
    )
    .optional(),
  mcpServerInstructions: instructionsSchema.optional(),
  overrides: z
    .array(z.object({ pattern: z.string().min(1).max(512), metadata: metadataSchema.optional() }))
    .max(1_000)
    .optional(),
});

export type DocsMcpManifest = z.output<typeof schema>;

export interface ReadDocsMcp {
  readonly manifest: DocsMcpManifest;
  readonly remarks: readonly Remark[];
}

const ROOT_KEYS = [
  '$schema',
  'version',
  'strategy',
  'metadata',
  'taxonomy',
  'mcpServerInstructions',
  'overrides',
];

/** Checks the JSON, then parses it as YAML, which is less strict but gives line numbers. @throws ManifestFault */
function readJson(text: string, file: string): ManifestSource {
  const source = (): ManifestSource => readSource(text, file);
  try {
    JSON.parse(text);
  } catch (error) {
    source();
    const message = error instanceof Error ? error.message : 'bad JSON';
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    throw new ManifestFault(file, text.slice(0, at).split('\n').length, `invalid JSON: ${message}`);
  }
  return source();
}

/** Reports unknown settings, and settings that have no effect in Pith. */
function remarksOn({ document, file, lineAt }: ManifestSource): Remark[] {
  const remark = (node: unknown, reason: string): Remark => {
    return { path: `${file}:${lineAt(offsetOfNode(node))}`, reason, isProblem: false };
  };
  const unknownIn = (node: unknown, known: readonly string[]): Remark[] =>
    pairsOf(document, node).flatMap(({ key }) => {
      const name = writtenText(key) ?? '';
      return known.includes(name)
        ? []
        : [remark(key, `"${name.slice(0, 80)}" is not a known setting and has no effect`)];
    });
  const { contents } = document;
  const strategy = pairsOf(document, contents).find(({ key }) => writtenText(key) === 'strategy');
  const keys = pairsOf(document, valueAt(document, contents, 'taxonomy'));
  const values = keys.flatMap(({ value }) => [...pairsOf(document, valueAt(document, value, 'properties'))]);
  return [
    ...unknownIn(contents, ROOT_KEYS),
    ...(strategy ? [remark(strategy.key, '"strategy" has no effect: sections are split by headings')] : []),
    ...keys.flatMap(({ value }) => unknownIn(value, ['vector_collapse', 'properties'])),
    ...values.flatMap(({ value }) => unknownIn(value, ['mcp_resource'])),
    ...itemsOf(document, valueAt(document, contents, 'overrides')).flatMap((entry) =>
      unknownIn(entry, ['pattern', 'metadata', 'strategy']),
    ),
  ];
}

/**
 * Reads a docs-mcp manifest; settings without effect give remarks.
 * @param file  its path, for messages
 * @throws ManifestFault for bad JSON, and for wrong names and values
 */
export function parseDocsMcp(text: string, file: string): ReadDocsMcp {
  const source = readJson(text.replace(/^\uFEFF/, ''), file);
  const { document } = source;
  const at = (node: unknown, key: string): unknown => valueAt(document, node, key);
  checkMetadata(source, at(document.contents, 'metadata'));
  for (const entry of itemsOf(document, at(document.contents, 'overrides')))
    checkMetadata(source, at(entry, 'metadata'));
  checkTaxonomy(source, at(document.contents, 'taxonomy'), 'properties');
  const result = schema.safeParse(valueOf(source));
  if (!result.success) throw issueFault(source, result.error);
  return { manifest: result.data, remarks: remarksOn(source) };
}
