import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from '../errors.js';
import { corpusRules } from './corpus-rules.js';
import type { CorpusRules } from './corpus-rules.js';
import { declareCorpus } from './declare-corpus.js';
import { readDocsMcpCorpus } from './docs-mcp-corpus.js';
import type { IndexSettings } from './index-writer.port.js';
import { readManifestText } from './manifest-lines.js';
import { MANIFEST_NAME, openManifest } from './manifest.js';
import type { OpenManifest } from './manifest.js';
import type { Remark } from './remark.js';
import { readPrompts } from './read-prompts.js';

/** What the command line says about a folder; wins over the manifest. */
export interface CorpusOptions {
  readonly folder: string;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly repository?: string | undefined;
  readonly siteUrls?: readonly string[] | undefined;
}

export interface Corpus {
  readonly settings: IndexSettings;
  readonly rules: CorpusRules;
  /** What is wrong or of no effect in manifests, and does not keep the run from going on. */
  readonly remarks: readonly Remark[];
}

async function checkFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (!found) {
    throw new InvalidArgumentError(`There is no folder ${resolve(folder)}.`, {
      reason: 'folder_missing',
      hint: 'Give the folder that holds your documents.',
    });
  }
  if (!found.isDirectory()) {
    throw new InvalidArgumentError(`${resolve(folder)} is a file, not a folder.`, {
      reason: 'not_a_folder',
      hint: 'Give the folder that holds it.',
    });
  }
  return realpath(folder);
}

async function readManifest(root: string): Promise<OpenManifest> {
  const file = join(root, MANIFEST_NAME);
  return openManifest(existsSync(file) ? await readManifestText(file) : '', file);
}

/** The name of the nearest folder upwards that is a git checkout, else the folder's own. */
function repositoryName(root: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return basename(folder) || 'repository';
    if (dirname(folder) === folder) return basename(root) || 'repository';
  }
}

/**
 * Decides what a folder is: project, environment, repository and rules per document.
 * @throws InvalidArgumentError for a missing folder or a wrong manifest
 */
export async function resolveCorpus(options: CorpusOptions): Promise<Corpus> {
  const root = await checkFolder(options.folder);
  const open = await readManifest(root);
  const { manifest } = open;
  const repository = options.repository ?? manifest.repository ?? repositoryName(root);
  const settings = {
    projectId: options.project ?? manifest.project ?? (basename(root) || 'documents'),
    environment: options.environment ?? manifest.environment ?? 'prod',
    root,
    siteUrls: options.siteUrls?.length ? options.siteUrls : (manifest.site_urls ?? []),
  };
  const other = existsSync(join(root, MANIFEST_NAME)) ? null : await readDocsMcpCorpus(root, repository);
  if (other) {
    const { corpus, rules, remarks } = other;
    return { settings: { ...settings, corpus }, rules, remarks };
  }
  return {
    settings: { ...settings, corpus: declareCorpus(manifest, await readPrompts(root, open)) },
    rules: corpusRules(manifest, repository, options.repository),
    remarks: [],
  };
}
