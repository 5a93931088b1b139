import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { CorpusDeclaration, DeclaredKey } from '../../core/corpus-declaration.js';
import type { Remark } from '../../core/indexed-document.js';
import { type DocumentRules, KEY } from '../reading/document-metadata.js';
import { offsetOfNode, pairsOf, valueAt, writtenText } from '../reading/written-yaml.js';
import { isHidden } from '../walk-folder.js';
import { type CorpusRules, mergeMetadata, mergeTaxonomies } from './declare-corpus.js';
import { NO_GROUPS } from './document-groups.js';
import { instructionsSchema, metadataSchema } from './manifest.js';
import {
  checkedManifest,
  itemsAt,
  ManifestFault,
  type ManifestSource,
  readManifestText,
  readSource,
} from './manifest-lines.js';
import { pathMatcher } from './path-matcher.js';
import { isTemplate, templatePrompts } from './read-prompts.js';
import type { Corpus } from './resolve-corpus.js';

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

type DocsMcpManifest = z.output<typeof schema>;
type DocsMcpKey = NonNullable<DocsMcpManifest['taxonomy']>[string];

const ROOT_KEYS = '$schema version strategy metadata taxonomy mcpServerInstructions overrides'.split(' ');

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
    ...itemsAt(document, 'overrides').flatMap((entry) =>
      unknownIn(entry, ['pattern', 'metadata', 'strategy']),
    ),
  ];
}

/** Reads a docs-mcp manifest; settings without effect give remarks. @throws ManifestFault */
function parseDocsMcp(text: string, file: string): { manifest: DocsMcpManifest; remarks: Remark[] } {
  const source = readJson(text.replace(/^\uFEFF/, ''), file);
  const manifest = checkedManifest(source, schema, { list: 'overrides', values: 'properties' });
  return { manifest, remarks: remarksOn(source) };
}

interface FolderManifest {
  /** Relative, with a slash at the end; '' for the root. */
  readonly folder: string;
  readonly manifest: DocsMcpManifest;
}

/** Finds manifests and templates below a folder; sorted by path. The document walk reports unreadable folders later. */
async function findFiles(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<string[]> => {
      const path = folder + entry.name;
      if (entry.isDirectory()) return isHidden(entry.name) ? [] : findFiles(root, `${path}/`);
      const isManifestOrPrompt =
        entry.name === DOCS_MCP_NAME || (!isHidden(entry.name) && isTemplate(entry.name));
      return entry.isFile() && isManifestOrPrompt ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** Finds the nearest manifest above a file; only this one applies. @param manifests  deepest folders first */
function nearestManifest<T extends FolderManifest>(path: string, manifests: readonly T[]): T | undefined {
  return manifests.find(({ folder }) => path.startsWith(folder));
}

/** The rules that are the same for all documents. */
type RulesOfAll = Pick<DocumentRules, 'repository' | 'isUntrusted'>;

function rulesOf(manifests: readonly FolderManifest[], all: RulesOfAll): CorpusRules {
  const compiled = manifests.map((folderManifest) => ({
    ...folderManifest,
    declaredKeys: Object.keys(folderManifest.manifest.taxonomy ?? {}).sort(),
    overrides: (folderManifest.manifest.overrides ?? []).map(({ pattern, metadata }) => {
      return { metadata, matches: pathMatcher(pattern) };
    }),
  }));
  return {
    isWanted: (path) => !(isTemplate(path) && nearestManifest(path, compiled)),
    isNamed: () => false,
    groups: NO_GROUPS,
    rulesFor: (path) => {
      const own = nearestManifest(path, compiled);
      const within = path.slice(own?.folder.length ?? 0);
      const overrides = (own?.overrides ?? []).filter(({ matches }) => matches(within));
      const metadata = mergeMetadata([own?.manifest.metadata, ...overrides.map((entry) => entry.metadata)]);
      return { ...all, docTag: undefined, metadata, declaredKeys: own?.declaredKeys ?? [] };
    },
  };
}

function toDeclaredKey({ vector_collapse, properties }: DocsMcpKey): DeclaredKey {
  const resources = Object.entries(properties ?? {}).filter(([, { mcp_resource }]) => mcp_resource);
  return {
    description: null,
    collapse: vector_collapse ?? null,
    isResource: false,
    resourceValues: resources.map(([value]) => value),
  };
}

function declarationOf(manifests: readonly FolderManifest[]): Omit<CorpusDeclaration, 'prompts'> {
  const withInstructions = manifests.findLast(({ manifest }) => manifest.mcpServerInstructions);
  const taxonomies = manifests.map(({ manifest }) =>
    Object.fromEntries(
      Object.entries(manifest.taxonomy ?? {}).map(([key, value]) => [key, toDeclaredKey(value)]),
    ),
  );
  return {
    description: null,
    instructions: withInstructions?.manifest.mcpServerInstructions ?? null,
    taxonomy: mergeTaxonomies(taxonomies),
  };
}

/**
 * Reads the docs-mcp manifests below a folder, and its prompts; null without a manifest. If the documents are untrusted,
 * instructions and prompts have no effect.
 * @throws ManifestFault
 */
export async function readDocsMcpCorpus(
  root: string,
  all: RulesOfAll,
): Promise<(Pick<Corpus, 'rules' | 'remarks'> & { readonly declaration: CorpusDeclaration }) | null> {
  const files = await findFiles(root);
  const manifests: FolderManifest[] = [];
  const remarks: Remark[] = [];
  for (const path of files.filter((file) => file.endsWith(DOCS_MCP_NAME))) {
    const read = parseDocsMcp(await readManifestText(join(root, path)), path);
    manifests.push({ folder: path.slice(0, -DOCS_MCP_NAME.length), manifest: read.manifest });
    remarks.push(...read.remarks);
  }
  if (manifests.length === 0) return null;
  manifests.sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1));
  const templates = files.filter((path) => isTemplate(path) && nearestManifest(path, manifests));
  const { prompts, remarks: onTemplates } = await templatePrompts(root, templates);
  return {
    declaration: {
      ...declarationOf(manifests),
      ...(all.isUntrusted ? { instructions: null, prompts: [] } : { prompts }),
    },
    rules: rulesOf(manifests, all),
    remarks: [...remarks, ...onTemplates],
  };
}
