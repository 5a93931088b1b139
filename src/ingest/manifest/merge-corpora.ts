import { basename, dirname, isAbsolute, sep } from 'node:path';
import { DEFAULT_ENVIRONMENT } from '../../config/owner-settings.js';
import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import { MAX_DESCRIPTION, MAX_INSTRUCTIONS } from '../../core/corpus-facts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { type CorpusRules, mergeTaxonomies } from './declare-corpus.js';
import type { Manifest } from './manifest.js';
import type { Corpus, CorpusOptions } from './resolve-corpus.js';
import { mergeSynonyms } from './synonyms.js';

export interface CorpusPart {
  /** Its paths begin with it and a slash; '' for none. */
  readonly name: string;
  readonly root: string;
  readonly corpus: Corpus;
  readonly manifest: Manifest;
}

/**
 * Merges folders into one corpus. Paths begin with the name of their part; the order of parts doesn't matter.
 * @param root  of the corpus; default: the folder that all are in
 * @throws InvalidArgumentError for folders with equal names, nested folders and conflicting manifests
 */
export function mergeCorpora(
  parts: readonly CorpusPart[],
  options: CorpusOptions,
  root = commonFolder(parts.map((part) => part.root)),
): Corpus {
  const sorted = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  const walked = sorted.filter(({ corpus }) => corpus.folders.length > 0);
  for (const [i, part] of walked.entries()) refuseOverlap(part, walked.slice(i + 1));
  const corpora = sorted.map(({ corpus }) => corpus);
  const untrusted = new Set(corpora.flatMap(({ settings }) => settings.untrusted ?? []));
  const project = options.project ?? agreedValue(sorted, 'project') ?? projectFor(parts, root);
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
      part.corpus.folders.map((folder) => ({ ...folder, prefix: prefixFor(part) })),
    ),
    kept: sorted.flatMap((part) =>
      (part.corpus.kept ?? []).map((kept) => ({ ...kept, prefix: prefixFor(part) })),
    ),
    rules: mergeRules(new Map(sorted.map((part) => [part.name, part.corpus.rules])), untrusted),
    remarks: sorted.flatMap((part) =>
      part.corpus.remarks.map((remark) => ({ ...remark, path: prefixFor(part) + remark.path })),
    ),
  };
}

/** Without a folder, the project has the name of a single source. */
function projectFor([first, ...others]: readonly CorpusPart[], root: string): string {
  const name = others.length === 0 ? first?.corpus.settings.projectId : undefined;
  return (isAbsolute(root) ? basename(root) : name) || 'documents';
}

const prefixFor = ({ name }: CorpusPart): string => (name === '' ? '' : `${name}/`);

function refuseOverlap({ root, name }: CorpusPart, others: readonly CorpusPart[]): void {
  for (const { root: other, name: otherName } of others) {
    if (name === otherName) {
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
    const rules = at < 0 ? undefined : byFolder.get(path.slice(0, at));
    if (rules) return { rules, within: path.slice(at + 1) };
    const unnamed = byFolder.get('');
    if (!unnamed) throw new Error(`${path} is outside all indexed folders`);
    return { rules: unnamed, within: path };
  };
  const findGroups = (path: string) => {
    const { rules, within } = split(path);
    return { groups: rules.groups, within };
  };
  return {
    groups: {
      isUsed: [...byFolder.values()].some(({ groups }) => groups.isUsed),
      listsFor: (path) => {
        const { groups, within } = findGroups(path);
        return groups.listsFor(within);
      },
      keepsStored: (path, ...stored) => {
        const { groups, within } = findGroups(path);
        return groups.keepsStored(within, ...stored);
      },
    },
    isWanted: (path) => {
      const { rules, within } = split(path);
      return rules.isWanted(within);
    },
    isNamed: (path) => {
      const { rules, within } = split(path);
      return rules.isNamed(within);
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
    ...mergeSynonyms(declarations.map(({ synonyms = {} }) => synonyms)),
  };
}

/** All texts if they fit the limit, else the first one. */
function joined(texts: readonly (string | null)[], between: string, maxChars: number): string | null {
  const given = [...new Set(texts.flatMap((text) => text ?? []))];
  const all = given.join(between);
  return (all.length <= maxChars ? all : given[0]) || null;
}
