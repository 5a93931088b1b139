import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import type { CorpusDeclaration, DeclaredKey } from '../../core/corpus-declaration.js';
import { isHidden, type Remark } from '../walk-folder.js';
import { type CorpusRules, mergeMetadata } from './corpus-rules.js';
import { mergeTaxonomies } from './declare-corpus.js';
import { DOCS_MCP_NAME, type DocsMcpManifest, parseDocsMcp } from './docs-mcp-manifest.js';
import { readManifestText } from './manifest-lines.js';
import { isTemplate, templatePrompts } from './template-prompts.js';

/** A manifest, and the folder that it applies to. */
interface FolderManifest {
  /** Relative, with a slash at the end; '' for the root. */
  readonly folder: string;
  readonly manifest: DocsMcpManifest;
}

/** The settings of all docs-mcp manifests in a folder. */
export interface DocsMcpCorpus {
  readonly corpus: CorpusDeclaration;
  readonly rules: CorpusRules;
  readonly remarks: readonly Remark[];
}

/**
 * Finds manifests and templates below a folder, sorted by path. Unreadable folders are reported later, by the document
 * walk.
 */
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

function rulesOf(manifests: readonly FolderManifest[], repository: string): CorpusRules {
  const compiled = manifests.map((folderManifest) => ({
    ...folderManifest,
    declaredKeys: Object.keys(folderManifest.manifest.taxonomy ?? {}).sort(),
    overrides: (folderManifest.manifest.overrides ?? []).map(({ pattern, metadata }) => {
      return { metadata, matches: picomatch(pattern) };
    }),
  }));
  return {
    isWanted: (path) => !(isTemplate(path) && nearestManifest(path, compiled)),
    rulesFor: (path) => {
      const own = nearestManifest(path, compiled);
      const within = path.slice(own?.folder.length ?? 0);
      const overrides = (own?.overrides ?? []).filter(({ matches }) => matches(within));
      const metadata = mergeMetadata([own?.manifest.metadata, ...overrides.map((entry) => entry.metadata)]);
      return { docTag: undefined, repository, metadata, declaredKeys: own?.declaredKeys ?? [] };
    },
  };
}

function toDeclaredKey({
  vector_collapse,
  properties,
}: NonNullable<DocsMcpManifest['taxonomy']>[string]): DeclaredKey {
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
 * Reads the docs-mcp manifests below a folder, and its prompts.
 * @returns null without a manifest
 * @throws ManifestFault with file and line
 */
export async function readDocsMcpCorpus(root: string, repository: string): Promise<DocsMcpCorpus | null> {
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
    corpus: { ...declarationOf(manifests), prompts },
    rules: rulesOf(manifests, repository),
    remarks: [...remarks, ...onTemplates],
  };
}
