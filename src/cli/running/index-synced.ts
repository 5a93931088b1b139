import { rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { addressScheme, givenPath } from '../../config/given-path.js';
import { type NotedSource, noteSources, readIndexSources } from '../../config/index-sources.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import type { IngestReport, SourceFolder } from '../../ingest/ingest-corpus.js';
import type { CorpusOptions } from '../../ingest/manifest/resolve-corpus.js';
import type { SourceCopy } from '../../ingest/manifest/source-copy.js';
import { readAddress } from '../../sources/read-address.js';
import {
  type ListedSource,
  listedSource,
  readSourceList,
  withBranchVersions,
} from '../../sources/source-list.js';
import {
  indexedFacts,
  notedFacts,
  type SourceFacts,
  syncSources,
  userSources,
  withLosses,
} from '../../sources/sync-sources.js';
import { plainLine } from '../../text/plain-line.js';
import type { SourceFlags } from '../flags.js';
import { advised, refusedLines } from '../reports/source-lines.js';
import { planIndex, runIndex } from './run-index.js';
import type { CommandEngines } from './session.js';

/** The folders and sources of a command. */
interface GivenSources {
  readonly folders: readonly string[];
  /** Those of the arguments, and those of the lists in the folders. */
  readonly sources: readonly ListedSource[];
}

/** True for an argument that names something other than a folder. */
export function isSource(text: string): boolean {
  if (addressScheme(text) !== null) return true;
  const { path } = givenPath(text);
  if (path === null) return false;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true || readAddress(path).kind === 'git';
}

/** The folder that an argument names. @throws InvalidArgumentError for a path with variables that were not replaced */
function readFolder(text: string): string {
  const { path, problem } = givenPath(text);
  if (path !== null) return path;
  throw new InvalidArgumentError(`${problem}.`, {
    reason: 'path_invalid',
    hint: 'Give a folder, a file or an address.',
  });
}

const manyForSecret = (): InvalidArgumentError =>
  new InvalidArgumentError('A secret is sent to one address only, and there are several.', {
    reason: 'secret_ambiguous',
    hint: 'List them in a .pith.yaml, each with its own: `pith add ADDRESS --secret VARIABLE`.',
  });

/** Reads arguments: folders with their lists, files, archives, repositories and sites. @throws InvalidArgumentError */
async function readArguments(args: readonly string[], flags: SourceFlags): Promise<GivenSources> {
  const { allowHost: allowedHosts, secret } = flags;
  const addresses = args.filter((arg) => addressScheme(arg) !== null);
  if (secret !== undefined && addresses.length > 1) throw manyForSecret();
  const folders = args.filter((arg) => !isSource(arg)).map(readFolder);
  const named = args.filter(isSource).map((arg) => listedSource(readAddress(arg, { allowedHosts, secret })));
  const lists = await Promise.all(folders.map((folder) => readSourceList(resolve(folder))));
  const sources = withBranchVersions([...named, ...lists.flat()]);
  const names = sources.map(({ source }) => source.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new InvalidArgumentError(`Two sources are named "${twice}".`, {
      reason: 'source_names_equal',
      hint: 'List them in a .pith.yaml, which can give them names: `pith add ADDRESS --name NAME`.',
    });
  }
  return { folders, sources };
}

/** A corpus with the facts of its sources. */
export interface SyncedArguments {
  readonly corpus: Pick<CorpusOptions, 'folder' | 'otherFolders' | 'copies'>;
  /** The folders among the arguments. */
  readonly folders: readonly string[];
  readonly facts: readonly SourceFacts[];
  /** Folders to remove after a dry run. */
  readonly drafts: readonly string[];
}

export interface SyncArgumentsOptions extends SourceFlags {
  /** The options with which commands find the list; absent if there may be none. */
  readonly listOptions?: string | undefined;
  /** Brings only this source up to date; '': none. */
  readonly only?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** True if a source that can't be read now is an error, also if there are others or it has a copy. */
  readonly needsCopies?: boolean | undefined;
}

/**
 * Brings the sources among arguments, and in the lists of folders, up to date.
 * @throws InvalidArgumentError; the error of the first source that failed, if nothing else is there to index
 */
export async function syncArguments(
  args: readonly string[],
  options: SyncArgumentsOptions,
): Promise<SyncedArguments> {
  const { folders, sources } = await readArguments(args, options);
  const [folder, ...otherFolders] = folders;
  if (sources.length === 0) return { corpus: { folder, otherFolders }, folders, facts: [], drafts: [] };
  const synced = await syncSources(userSources(), sources, {
    only: options.only,
    acceptRemoval: options.acceptRemoval,
    isDryRun: options.dryRun,
    needsSuccess: options.needsCopies,
    signal: new AbortController().signal,
    report: (line) => tell(plainLine(line)),
  });
  const isAlone = folders.length === 0 && sources.length === 1;
  const hasNothing = folders.length === 0 && synced.copies.every((copy) => copy.folder === null);
  if (synced.error !== null && (hasNothing || options.needsCopies === true)) throw synced.error;
  // The run ends with an error that only knows the folder: it has no report.
  if (isAlone) tell(...synced.facts.filter(({ pages }) => pages === 0).flatMap(refusedLines));
  const copies = isAlone ? synced.copies.map((copy) => ({ ...copy, name: '' })) : synced.copies;
  const { facts, drafts } = synced;
  return { corpus: { folder, otherFolders, copies }, folders, facts, drafts };
}

/** The end of an index run with sources. */
export interface SyncedRun extends Pick<SyncedArguments, 'folders' | 'facts'> {
  readonly report: IngestReport;
  readonly seconds: number;
  /** Names of sources that the last run had, and this one has not. */
  readonly removed: readonly string[];
}

interface SyncedRunOptions extends SyncArgumentsOptions {
  readonly engines: CommandEngines;
  readonly rebuild?: boolean;
  /** Further options of the corpus. */
  readonly corpus?: Omit<CorpusOptions, 'folder' | 'otherFolders' | 'copies'>;
}

const MAX_TOLD = 5;

/** The error of a run that found no document, with what is wrong with its sources: no report tells it. */
export function withSourceProblems(error: unknown, facts: readonly SourceFacts[]): unknown {
  if (!(error instanceof InvalidArgumentError) || error.reason !== 'no_documents') return error;
  const problems = facts.flatMap(({ name, problem, refused: [first] }) => {
    const why = problem ?? (first ? `refused ${first.address}: ${first.reason}` : null);
    return why === null ? [] : [`${name}: ${plainLine(why).replace(/\.$/, '')}.`];
  });
  if (problems.length === 0) return error;
  const more = problems.length > MAX_TOLD ? [`${problems.length - MAX_TOLD} more sources failed.`] : [];
  const hints = new Set(
    facts.flatMap(({ problem, hint }) => (problem === null || hint === null ? [] : [hint])),
  );
  return new InvalidArgumentError([error.message, ...problems.slice(0, MAX_TOLD), ...more].join(' '), {
    reason: error.reason,
    hint: hints.size === 0 ? error.hint : [...hints].slice(0, MAX_TOLD).join(' '),
    cause: error,
  });
}

/** The copies of a run. Pages of another source that had the name are not kept. */
export function copiesFrom(
  copies: readonly SourceCopy[] | undefined,
  noted: readonly NotedSource[],
): readonly SourceCopy[] | undefined {
  const addresses = new Map(noted.map(({ name, address }) => [name, address]));
  return copies?.map((copy) => {
    const before = addresses.get(copy.name) ?? copy.root;
    // Earlier versions noted no branch and no folder.
    const isSame = `${copy.root}#`.startsWith(`${before}#`);
    return isSame ? copy : { ...copy, lost: 'removed' };
  });
}

/** Brings sources up to date, then the index. */
export async function indexSynced(
  config: Config,
  args: readonly string[],
  { engines, rebuild = false, corpus: options = {}, ...syncing }: SyncedRunOptions,
): Promise<SyncedRun> {
  const startedAt = performance.now();
  const isCopy = options.origin !== undefined;
  // A copy can contain a list of sources that an uploader wrote: they are not fetched.
  const { corpus, folders, facts } = isCopy ? onlyFolders(args) : await syncArguments(args, syncing);
  // The list that the database stores is fetched first.
  const readNoted = async (): Promise<readonly NotedSource[]> => readIndexSources(config.index.file);
  const noted = corpus.copies ? await engines.changeIndex(config, readNoted) : [];
  const copies = copiesFrom(corpus.copies, noted);
  const {
    sourceFolders = [],
    losses = [],
    ...report
  } = await runIndex(config, { ...options, ...corpus, copies }, { engines, rebuild }).catch(
    (error: unknown) => {
      throw withSourceProblems(
        error,
        facts.map((each) => advised(each, syncing.listOptions)),
      );
    },
  );
  const found = withFolders(config, facts, sourceFolders).map((each) => {
    const lost = losses.find(({ name }) => name === each.name);
    return advised(lost ? withLosses(each, lost) : each, syncing.listOptions);
  });
  const removed = isCopy
    ? []
    : await engines.changeIndex(config, async () => noteSources(config.index.file, found));
  const seconds = (performance.now() - startedAt) / 1000;
  return { report, seconds, folders, facts: found, removed };
}

const allRemoved = (pages = 0) => ({ added: 0, updated: 0, removed: pages, unchanged: 0 });

/** The facts of sources after an index run that read their folders and copies. */
function withFolders(
  { index }: Config,
  facts: readonly SourceFacts[],
  folders: readonly SourceFolder[],
): SourceFacts[] {
  const now = new Date().toISOString();
  const noted = new Map(readIndexSources(index.file).map((source) => [source.name, source]));
  return facts.map((each) => {
    const before = noted.get(each.name);
    // The only source of a run has no name there.
    const folder = folders.find(({ name }) => name === each.name || name === '');
    if (each.state === 'removed') return { ...each, pages: 0, changes: allRemoved(before?.pages) };
    const known = notedFacts(each, before);
    if (!folder) return known;
    const base = each.problem === null ? { ...each, checked_at: known.checked_at } : known;
    const { revision, fetched_at } = folder.heldPages === null ? each : known;
    return indexedFacts({ ...base, revision, fetched_at }, folder, now);
  });
}

/** Finds what `indexSynced` would change in the sources of a list, and changes nothing. */
export async function planSynced(
  config: Config,
  args: readonly string[],
  { engines, ...syncing }: SyncArgumentsOptions & { readonly engines: CommandEngines },
): Promise<Pick<SyncedRun, 'facts' | 'removed'>> {
  const { corpus, facts, drafts } = await syncArguments(args, { ...syncing, dryRun: true });
  try {
    const noted = readIndexSources(config.index.file);
    const copies = copiesFrom(corpus.copies, noted);
    const planned = await planIndex(config, { ...corpus, copies }, { engines });
    const found = withFolders(config, facts, planned).map((each) => advised(each, syncing.listOptions));
    const listed = new Set(facts.map(({ name }) => name));
    return { facts: found, removed: noted.flatMap(({ name }) => (listed.has(name) ? [] : [name])) };
  } finally {
    drafts.forEach((draft) => rmSync(draft, { recursive: true, force: true }));
  }
}

const onlyFolders = (args: readonly string[]): SyncedArguments => {
  const [folder, ...otherFolders] = args;
  return { corpus: { folder, otherFolders }, folders: args, facts: [], drafts: [] };
};
