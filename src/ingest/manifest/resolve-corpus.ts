import { constants, existsSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { notAFolder } from '../../config/given-path.js';
import { DEFAULT_ENVIRONMENT } from '../../config/owner-settings.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { Remark } from '../../core/indexed-document.js';
import type { IndexSettings } from '../../core/ports/index-writer.port.js';
import { type CorpusRules, corpusRules, declareCorpus, untrustedIn, withoutTrust } from './declare-corpus.js';
import { readDocsMcpCorpus } from './docs-mcp-corpus.js';
import { readGroupRules } from './document-groups.js';
import { MANIFEST_NAME, openManifest } from './manifest.js';
import { readManifestText } from './manifest-lines.js';
import { type CorpusPart, mergeCorpora } from './merge-corpora.js';
import { readPrompts } from './read-prompts.js';
import { refuseTakenName, resolveCopy, type SourceCopy } from './source-copy.js';

/** Settings from the command line; they override the manifest. */
export interface CorpusOptions {
  /** Undefined for a corpus of copies alone. */
  readonly folder?: string | undefined;
  /** Further folders. With several folders, paths begin with the name of their folder. */
  readonly otherFolders?: readonly string[] | undefined;
  /** Sources other than these folders. Paths begin with their names; those of a single folder stay as they are. */
  readonly copies?: readonly SourceCopy[] | undefined;
  /** True to respect .gitignore and .ignore. Default: the manifest setting, else true. */
  readonly usesIgnoreFiles?: boolean | undefined;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly repository?: string | undefined;
  readonly siteUrls?: readonly string[] | undefined;
  /**
   * The source, if the folder is a temporary copy of one. The index then names it instead of the folder, and nothing
   * depends on where the copy is. Its documents are untrusted, and its texts for agents have no effect: an
   * uploader can have written them.
   */
  readonly origin?: string | undefined;
  /** A manifest file to use instead of the one in the folder. */
  readonly settingsFile?: string | undefined;
}

export interface CorpusFolder {
  /** Absolute real path. */
  readonly root: string;
  /** Prefix of its document paths: '' or the name of the folder and a slash. */
  readonly prefix: string;
  readonly usesIgnoreFiles: boolean;
  /** Of the source that it is a copy of. */
  readonly address?: string;
  /** Of a source: whether all its pages stay as they are if half of them are gone. */
  readonly lost?: SourceCopy['lost'];
}

export interface Corpus {
  readonly settings: IndexSettings;
  readonly folders: readonly CorpusFolder[];
  /** Sources that can't be read now. The last versions of their documents stay in the index. */
  readonly kept?: readonly Pick<CorpusFolder, 'prefix' | 'lost'>[];
  readonly rules: CorpusRules;
  /** Problems and ineffective settings in manifests that don't stop the run. */
  readonly remarks: readonly Remark[];
}

async function checkFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (!found) {
    throw new InvalidArgumentError(`${resolve(folder)} does not exist.`, {
      reason: 'folder_missing',
      hint: 'Give a folder, a file or an address with your documents.',
    });
  }
  if (!found.isDirectory()) throw notAFolder(folder);
  try {
    await access(folder, constants.R_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    throw new InvalidArgumentError(`The folder ${resolve(folder)} can't be read.`, {
      reason: 'folder_unreadable',
      hint: 'Allow the user that runs Pith to read it.',
      cause,
    });
  }
}

/** The name of the nearest Git checkout at or above the folder, else the name of the folder. */
function repositoryName(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return basename(folder) || 'repository';
    if (dirname(folder) === folder) return basename(root) || 'repository';
  }
}

/** Resolves folders with their manifests and rules. @throws InvalidArgumentError for bad folders and manifests */
export async function resolveCorpus(options: CorpusOptions): Promise<Corpus> {
  const { folder, otherFolders = [], copies = [] } = options;
  const roots = new Set<string>();
  for (const each of [...(folder === undefined ? [] : [folder]), ...otherFolders])
    roots.add(await checkFolder(each));
  const parts: CorpusPart[] = [];
  for (const root of roots)
    parts.push(await resolveFolder(root, options, roots.size > 1 ? basename(root) : ''));
  const [local] = roots.size === 1 ? roots : [];
  const isWalked = parts.some(({ corpus }) => corpus.folders.length > 0);
  for (const copy of copies) if (local !== undefined && isWalked) refuseTakenName(copy, local);
  for (const copy of copies) parts.push(await resolveCopy(copy));
  const [only, ...others] = parts;
  if (copies.length > 0) return mergeCorpora(parts, options, local ?? joinedRoots(copies));
  return only && others.length === 0 ? only.corpus : mergeCorpora(parts, options);
}

/** The place of several sources, in any order. */
const joinedRoots = (copies: readonly SourceCopy[]): string =>
  copies
    .map(({ root }) => root)
    .sort()
    .join(' ');

/** @param named.given  the repository that the command names */
async function manifestCorpus(
  root: string,
  open: ReturnType<typeof openManifest>,
  named: { readonly repository: string; readonly given: string | undefined },
) {
  const { manifest } = open;
  const groups = await readGroupRules(root, manifest);
  return {
    declaration: declareCorpus(manifest, await readPrompts(root, open)),
    rules: { ...corpusRules(manifest, named.repository, named.given), groups },
    remarks: [],
  };
}

async function resolveFolder(root: string, options: CorpusOptions, name: string): Promise<CorpusPart> {
  const file = options.settingsFile ?? join(root, MANIFEST_NAME);
  const { origin } = options;
  const written = openManifest(existsSync(file) ? await readManifestText(file) : '', file);
  const open = origin === undefined ? written : { ...written, manifest: withoutTrust(written.manifest) };
  const { manifest } = open;
  const projectId = options.project ?? manifest.project ?? (basename(root) || 'documents');
  const ownName = origin === undefined ? repositoryName(root) : projectId;
  const repository = options.repository ?? manifest.repository ?? ownName;
  const settings = {
    projectId,
    environment: options.environment ?? manifest.environment ?? DEFAULT_ENVIRONMENT,
    root: origin ?? root,
    siteUrls: options.siteUrls?.length ? options.siteUrls : (manifest.site_urls ?? []),
  };
  const untrusted = untrustedIn(manifest, repository);
  // A copy has the files that were chosen, and ignore files above it belong to another project.
  const usesIgnoreFiles =
    origin === undefined && (options.usesIgnoreFiles ?? manifest.use_ignore_files ?? true);
  // A list of sources may stand in a folder whose own files are not documents.
  const isEmpty = manifest.include?.length === 0;
  const folders = isEmpty ? [] : [{ root, prefix: '', usesIgnoreFiles }];
  const all = { repository, ...(origin === undefined ? {} : { isUntrusted: true }) };
  // A list of sources alone says nothing of the documents beside it.
  const isList = Object.keys(written.manifest).every((key) => key === 'sources');
  const other = isList ? await readDocsMcpCorpus(root, all) : null;
  const { declaration, rules, remarks } =
    other ?? (await manifestCorpus(root, open, { repository, given: options.repository }));
  return {
    name,
    root,
    manifest,
    corpus: {
      settings: { ...settings, ...(untrusted.length > 0 ? { untrusted } : {}), corpus: declaration },
      folders,
      rules,
      remarks,
    },
  };
}
