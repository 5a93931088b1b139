import { basename, dirname, sep } from 'node:path';
import { DEFAULT_ENVIRONMENT } from '../../config/owner-settings.js';
import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import { MAX_DESCRIPTION, MAX_INSTRUCTIONS } from '../../core/corpus-facts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { type CorpusRules, mergeTaxonomies } from './declare-corpus.js';
import type { Manifest } from './manifest.js';
import type { Corpus, CorpusOptions } from './resolve-corpus.js';

export interface CorpusPart {
  readonly root: string;
  readonly corpus: Corpus;
  readonly manifest: Manifest;
}

/**
 * Merges folders into one corpus. Paths begin with the name of their folder; the order of folders doesn't matter.
 * @throws InvalidArgumentError for folders with equal names, nested folders and conflicting manifests
 */
export function mergeCorpora(parts: readonly CorpusPart[], options: CorpusOptions): Corpus {
  const sorted = [...parts].sort((a, b) => (basename(a.root) < basename(b.root) ? -1 : 1));
  for (const [i, part] of sorted.entries()) refuseOverlap(part, sorted.slice(i + 1));
  const root = commonFolder(sorted.map((part) => part.root));
  const corpora = sorted.map(({ corpus }) => corpus);
  const untrusted = new Set(corpora.flatMap(({ settings }) => settings.untrusted ?? []));
  const project = options.project ?? agreedValue(sorted, 'project') ?? (basename(root) || 'documents');
  return {
    settings: {
      projectId: project,
      environment: options.environment ?? agreedValue(sorted, 'environment') ?? DEFAULT_ENVIRONMENT,
      root,
      siteUrls: [...new Set(corpora.flatMap(({ settings }) => settings.siteUrls))],
      ...(untrusted.size > 0 ? { untrusted: [...untrusted].sort() } : {}),
      corpus: mergeDeclarations(corpora.map(({ settings }) => settings.corpus)),
    },
    folders: sorted.flatMap((part) =>
      part.corpus.folders.map((folder) => ({ ...folder, prefix: `${basename(part.root)}/` })),
    ),
    rules: mergeRules(new Map(sorted.map((part) => [basename(part.root), part.corpus.rules])), untrusted),
    remarks: corpora.flatMap(({ remarks }, i) =>
      remarks.map((remark) => ({ ...remark, path: `${basename(sorted[i]?.root ?? '')}/${remark.path}` })),
    ),
  };
}

function refuseOverlap({ root }: CorpusPart, others: readonly CorpusPart[]): void {
  for (const { root: other } of others) {
    if (basename(root) === basename(other)) {
      throw new InvalidArgumentError(`${root} and ${other} have the same name.`, {
        reason: 'folder_names_equal',
        hint: 'Ids start with the folder name. Rename one folder, or index their parent folder.',
      });
    }
    const [outer, inner] = root.length < other.length ? [root, other] : [other, root];
    if (inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)) {
      throw new InvalidArgumentError(`${inner} is inside ${outer}.`, {
        reason: 'folders_overlap',
        hint: 'Give only the outer folder; it includes the documents of the inner one.',
      });
    }
  }
}

function commonFolder(roots: readonly string[]): string {
  let folder = dirname(roots[0] ?? sep);
  while (dirname(folder) !== folder && !roots.every((root) => root.startsWith(folder + sep)))
    folder = dirname(folder);
  return folder;
}

/** The value that the manifests agree on; undefined if none sets it. @throws InvalidArgumentError if they differ */
function agreedValue(parts: readonly CorpusPart[], key: 'project' | 'environment'): string | undefined {
  const declared = [...new Set(parts.flatMap(({ manifest }) => manifest[key] ?? []))];
  if (declared.length <= 1) return declared[0];
  const message = `The manifests of the folders have different values for "${key}": ${declared.join(', ')}.`;
  const hint = `Give --${key}, or make the manifests agree.`;
  throw new InvalidArgumentError(message, { reason: 'manifests_disagree', hint });
}

/** @param untrusted  the repositories that any of the manifests does not trust */
function mergeRules(byFolder: ReadonlyMap<string, CorpusRules>, untrusted: ReadonlySet<string>): CorpusRules {
  const split = (path: string): { rules: CorpusRules; within: string } => {
    const at = path.indexOf('/');
    const rules = byFolder.get(path.slice(0, at));
    if (!rules) throw new Error(`${path} is outside all indexed folders`);
    return { rules, within: path.slice(at + 1) };
  };
  return {
    isWanted: (path) => {
      const { rules, within } = split(path);
      return rules.isWanted(within);
    },
    rulesFor: (path) => {
      const { rules, within } = split(path);
      const found = rules.rulesFor(within);
      return untrusted.has(found.repository) ? { ...found, isUntrusted: true } : found;
    },
  };
}

function mergeDeclarations(declarations: readonly CorpusDeclaration[]): CorpusDeclaration {
  const prompts = declarations.flatMap((declaration) => declaration.prompts);
  const names = prompts.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`Two folders have a prompt named "${twice}".`, {
      reason: 'prompt_names_equal',
      hint: 'Rename one of them in its manifest.',
    });
  }
  const descriptions = declarations.map(({ description }) => description);
  const instructions = declarations.map((declaration) => declaration.instructions);
  return {
    description: joined(descriptions, '; ', MAX_DESCRIPTION),
    instructions: joined(instructions, '\n\n', MAX_INSTRUCTIONS),
    taxonomy: mergeTaxonomies(declarations.map(({ taxonomy }) => taxonomy)),
    prompts,
  };
}

/** All texts if they fit the limit, else the first one. */
function joined(texts: readonly (string | null)[], between: string, maxChars: number): string | null {
  const given = [...new Set(texts.flatMap((text) => text ?? []))];
  const all = given.join(between);
  return (all.length <= maxChars ? all : given[0]) || null;
}
