import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';
import { mergeMetadata } from './corpus-rules.js';
import type { CorpusRules } from './corpus-rules.js';
import type { CorpusDeclaration, DeclaredKey } from '../../core/corpus-declaration.js';
import { DOCS_MCP_NAME, parseDocsMcp } from './docs-mcp-manifest.js';
import type { DocsMcpManifest } from './docs-mcp-manifest.js';
import { readManifestText } from './manifest-lines.js';
import type { Remark } from '../reading/markdown/remark.js';
import { isTemplate, templatePrompts } from './template-prompts.js';
import { isHidden } from '../walk-folder.js';

/** A manifest, and the folder that it rules. */
interface Governor {
  /** Relative, with a slash at its end; empty for the root. */
  readonly folder: string;
  readonly manifest: DocsMcpManifest;
}

/** What the manifests of docs-mcp say of a folder. */
export interface DocsMcpCorpus {
  readonly corpus: CorpusDeclaration;
  readonly rules: CorpusRules;
  readonly remarks: readonly Remark[];
}

/** Manifests and templates below a folder, by path; folders that can't be read are told of when documents are read. */
async function findFiles(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<string[]> => {
      const path = folder + entry.name;
      if (entry.isDirectory()) return isHidden(entry.name) ? [] : findFiles(root, `${path}/`);
      const isOne = entry.name === DOCS_MCP_NAME || (!isHidden(entry.name) && isTemplate(entry.name));
      return entry.isFile() && isOne ? [path] : [];
    }),
  );
  return found.flat().sort();
}

/** The nearest manifest above a file; it alone counts. @param governors  deepest folders first */
function governorOf<T extends Governor>(path: string, governors: readonly T[]): T | undefined {
  return governors.find(({ folder }) => path.startsWith(folder));
}

function rulesOf(governors: readonly Governor[], repository: string): CorpusRules {
  const compiled = governors.map((governor) => ({
    ...governor,
    declaredKeys: Object.keys(governor.manifest.taxonomy ?? {}).sort(),
    overrides: (governor.manifest.overrides ?? []).map(({ pattern, metadata }) => {
      return { metadata, matches: picomatch(pattern) };
    }),
  }));
  return {
    isWanted: (path) => !(isTemplate(path) && governorOf(path, compiled)),
    rulesFor: (path) => {
      const own = governorOf(path, compiled);
      const within = path.slice(own?.folder.length ?? 0);
      const overrides = (own?.overrides ?? []).filter(({ matches }) => matches(within));
      const metadata = mergeMetadata([own?.manifest.metadata, ...overrides.map((entry) => entry.metadata)]);
      return { docTag: undefined, repository, metadata, declaredKeys: own?.declaredKeys ?? [] };
    },
  };
}

/** What several manifests say of one key: any of them may let it collapse, or offer documents whole. */
function mergeKey(said: readonly NonNullable<DocsMcpManifest['taxonomy']>[string][]): DeclaredKey {
  const collapses = said.flatMap(({ vector_collapse }) =>
    vector_collapse === undefined ? [] : [vector_collapse],
  );
  const offered = said.flatMap(({ properties }) =>
    Object.entries(properties ?? {}).flatMap(([value, { mcp_resource }]) => (mcp_resource ? [value] : [])),
  );
  return {
    description: null,
    collapse: collapses.length === 0 ? null : collapses.includes(true),
    isResource: false,
    resourceValues: [...new Set(offered)].sort(),
  };
}

function declarationOf(governors: readonly Governor[]): Omit<CorpusDeclaration, 'prompts'> {
  const taxonomies = governors.map(({ manifest }) => manifest.taxonomy ?? {});
  const keys = [...new Set(taxonomies.flatMap((taxonomy) => Object.keys(taxonomy)))].sort();
  const said = (key: string) =>
    taxonomies.flatMap((taxonomy) => (Object.hasOwn(taxonomy, key) ? [taxonomy[key] ?? {}] : []));
  return {
    description: null,
    instructions:
      governors.findLast(({ manifest }) => manifest.mcpServerInstructions)?.manifest.mcpServerInstructions ??
      null,
    taxonomy: Object.fromEntries(keys.map((key) => [key, mergeKey(said(key))])),
  };
}

/**
 * Reads the manifests of docs-mcp below a folder, and its prompts.
 * @returns null where there is none
 * @throws ManifestFault with file and line
 */
export async function readDocsMcpCorpus(root: string, repository: string): Promise<DocsMcpCorpus | null> {
  const files = await findFiles(root);
  const governors: Governor[] = [];
  const remarks: Remark[] = [];
  for (const path of files.filter((file) => file.endsWith(DOCS_MCP_NAME))) {
    const read = parseDocsMcp(await readManifestText(join(root, path)), path);
    governors.push({ folder: path.slice(0, -DOCS_MCP_NAME.length), manifest: read.manifest });
    remarks.push(...read.remarks);
  }
  if (governors.length === 0) return null;
  governors.sort((a, b) => b.folder.length - a.folder.length || (a.folder < b.folder ? -1 : 1));
  const templates = files.filter((path) => isTemplate(path) && governorOf(path, governors));
  const { prompts, remarks: onTemplates } = await templatePrompts(root, templates);
  return {
    corpus: { ...declarationOf(governors), prompts },
    rules: rulesOf(governors, repository),
    remarks: [...remarks, ...onTemplates],
  };
}
