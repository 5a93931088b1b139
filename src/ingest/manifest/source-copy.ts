import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CorpusDeclaration, NOTHING_DECLARED } from '../../core/corpus-declaration.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Remark } from '../../core/indexed-document.js';
import type { GroupRules } from '../../core/ports/index-writer.port.js';
import { type CorpusRules, corpusRules, declareCorpus, withoutTrust } from './declare-corpus.js';
import { readDocsMcpCorpus } from './docs-mcp-corpus.js';
import { NO_GROUPS, NOBODY, readable, readGroupRules, sourceGroups } from './document-groups.js';
import { type Manifest, MANIFEST_NAME, openManifest } from './manifest.js';
import { ManifestFault, readManifestText } from './manifest-lines.js';
import type { CorpusPart } from './merge-corpora.js';
import { extensionMatcher, pathMatcher } from './path-matcher.js';
import { readPrompts } from './read-prompts.js';

/** A folder that is indexed for a source: the copy of one, or a folder of the user. */
export interface SourceCopy {
  /** Absolute real path; null if there is no copy now, so that its documents stay as they are in the index. */
  readonly folder: string | null;
  /** Paths of its documents begin with it and a slash; '' if it is the whole corpus. */
  readonly name: string;
  /** The place that the index names, since a copy has another folder after every change. */
  readonly root: string;
  /** Doc tag of documents that name none. Others that are not trusted have it too. */
  readonly docTag: string;
  readonly repository: string;
  /** False: its documents are untrusted, and its own settings can't change that. */
  readonly isTrusted: boolean;
  /** Globs; default: all documents. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Metadata of all documents, such as their version. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Of pages whose version neither the metadata nor their folders tell. */
  readonly branchVersion?: string | undefined;
  /** The addresses of pages, by path. */
  readonly addresses: ReadonlyMap<string, string>;
  /** True for a folder of the user, whose ignore files count. */
  readonly usesIgnoreFiles: boolean;
  /** The groups that may see its documents. */
  readonly allow?: readonly string[] | undefined;
  /** All its pages stay as they are if half of them are gone, or not. Default: not. */
  readonly lost?: 'kept' | 'removed' | undefined;
}

/** The settings in a copy, as far as they count. */
interface CopySettings {
  readonly manifest: Manifest;
  readonly rules: CorpusRules;
  readonly declaration: CorpusDeclaration;
  readonly remarks: readonly Remark[];
}

/** The part of a corpus that a source gives. Wrong settings in a copy are remarks: who indexes it can't correct them. */
export async function resolveCopy(copy: SourceCopy): Promise<CorpusPart> {
  const { folder, name, root, repository, isTrusted } = copy;
  const { manifest, rules, declaration, remarks } = await readSettings(copy);
  return {
    name,
    root: folder ?? root,
    // Who publishes a source decides neither the project nor the environment.
    manifest: {},
    corpus: {
      settings: {
        projectId: copy.docTag,
        environment: '',
        root,
        siteUrls: isTrusted ? (manifest.site_urls ?? []) : [],
        ...(isTrusted ? {} : { untrusted: [repository] }),
        corpus: isTrusted ? declaration : keysAlone(declaration),
      },
      folders:
        folder === null
          ? []
          : [
              {
                root: folder,
                prefix: '',
                usesIgnoreFiles: copy.usesIgnoreFiles,
                address: root,
                lost: copy.lost,
              },
            ],
      kept: folder === null ? [{ prefix: '', lost: copy.lost }] : [],
      rules: copyRules(copy, rules),
      remarks,
    },
  };
}

/** Names of keys affect the documents that have them. Everything else would apply to those of other sources too. */
const keysAlone = ({ taxonomy }: CorpusDeclaration): CorpusDeclaration => ({
  ...NOTHING_DECLARED,
  taxonomy: Object.fromEntries(
    Object.keys(taxonomy).map((key) => [
      key,
      { description: null, collapse: null, isResource: false, resourceValues: [] },
    ]),
  ),
});

async function readSettings(copy: SourceCopy): Promise<CopySettings> {
  const { repository, isTrusted } = copy;
  const folder = copy.folder ?? '';
  const file = join(folder, MANIFEST_NAME);
  try {
    const hasManifest = copy.folder !== null && existsSync(file);
    const open = openManifest(hasManifest ? await readManifestText(file) : '', MANIFEST_NAME);
    const manifest = isTrusted ? open.manifest : withoutTrust(open.manifest);
    const all = { repository, ...(isTrusted ? {} : { isUntrusted: true }) };
    const other = hasManifest || copy.folder === null ? null : await readDocsMcpCorpus(folder, all);
    if (other) return { ...other, manifest };
    const prompts = await readPrompts(folder, { ...open, manifest });
    const groups = await readGroupRules(folder, manifest);
    const rules = {
      ...corpusRules(manifest, repository),
      groups: hasManifest ? readable(groups) : groups,
    };
    return { manifest, rules, declaration: declareCorpus(manifest, prompts), remarks: [] };
  } catch (error) {
    if (!(error instanceof ManifestFault)) throw error;
    const manifest = isTrusted ? {} : withoutTrust({});
    const path = `${error.file.replace(`${folder}/`, '')}:${error.line}`;
    const groups = await groupsDespite(file);
    const effect = groups === NOBODY ? '; so nobody sees its documents but callers with all groups' : '';
    const reason = `the settings of the source are not used: ${error.problem}${effect}. Correct them`;
    const remarks = [{ path, reason, isProblem: true }];
    const rules = { ...corpusRules(manifest, repository), groups };
    return { manifest, rules, declaration: declareCorpus(manifest, []), remarks };
  }
}

/** The groups of settings that can't be used: if they may have named some, nobody sees the documents. */
async function groupsDespite(file: string): Promise<GroupRules> {
  const mayLimit = await readFile(file, 'utf8').then(
    (text) => /\ballow(?!ed_hosts\b)/.test(text),
    // Without such a file, the fault is in settings of another kind, which have no groups.
    (error: unknown) => Object(error).code !== 'ENOENT',
  );
  return mayLimit ? NOBODY : NO_GROUPS;
}

function copyRules({ isTrusted, ...copy }: SourceCopy, own: CorpusRules): CorpusRules {
  const isIncluded = copy.include ? pathMatcher(copy.include) : () => true;
  const isNamed = extensionMatcher(copy.include);
  const isExcluded = copy.exclude ? pathMatcher(copy.exclude) : () => false;
  const { docTag, repository, metadata, branchVersion } = copy;
  const addresses = new Map([...copy.addresses].map(([path, address]) => [path.normalize('NFC'), address]));
  return {
    groups: sourceGroups(own.groups, copy.allow, copy.folder === null),
    isWanted: (path) => own.isWanted(path) && isIncluded(path) && !isExcluded(path),
    // Who publishes a source does not decide that its code is read.
    isNamed: (path) => isNamed(path) || (isTrusted && own.isNamed(path)),
    rulesFor: (path) => {
      const found = own.rulesFor(path);
      const url = addresses.get(path);
      return {
        ...found,
        docTag: (isTrusted ? found.docTag : undefined) ?? docTag,
        ...(isTrusted ? {} : { repository, isUntrusted: true }),
        metadata: metadata ? { ...metadata, ...found.metadata } : found.metadata,
        ...(url ? { url } : {}),
        ...(branchVersion === undefined ? {} : { branchVersion }),
      };
    },
  };
}

/** Refuses a source whose documents would have the paths of others. @param root  of the folder whose paths have no prefix */
export function refuseTakenName({ name }: SourceCopy, root: string): void {
  if (!existsSync(join(root, name))) return;
  throw new InvalidArgumentError(`${root} has a folder or a file with the name of the source "${name}".`, {
    reason: 'source_name_taken',
    hint: 'Give the source another name: the paths of its documents begin with it.',
  });
}
