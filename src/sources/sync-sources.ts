import { statSync } from 'node:fs';
import { join } from 'node:path';
import { thisUser, userDataFolder } from '../config/data-folder.js';
import type { NotedSource, UnindexedFiles } from '../config/index-sources.js';
import { PithError } from '../core/errors.js';
import type { SourceFolder } from '../ingest/ingest-corpus.js';
import type { SourceCopy } from '../ingest/manifest/source-copy.js';
import type { SourceLosses } from '../ingest/unread-files.js';
import { fetchFile } from './files/fetch-file.js';
import { fetchGit } from './git/fetch-git.js';
import { shownSource } from './read-address.js';
import { fetchSite } from './site/fetch-site.js';
import type { Refusal, Source } from './source.js';
import type { ListedSource } from './source-list.js';
import { type FetchCopy, isGone, type SourceState, SourceStore, type SourceUpdate } from './source-store.js';

/** Brings a source of any kind into a folder. */
const fetchSource: FetchCopy = ({ source, ...request }, cache) => {
  switch (source.kind) {
    case 'git':
      return fetchGit({ ...request, source }, cache);
    case 'file':
    case 'archive':
      return fetchFile({ ...request, source }, cache);
    case 'site':
      return fetchSite({ ...request, source });
    case 'folder':
      throw new Error('a folder is indexed where it is');
  }
};

/** The copies of this user's sources. */
export const userSources = (): SourceStore =>
  new SourceStore(join(userDataFolder(thisUser()), 'sources'), fetchSource, Date.now);

export interface SyncOptions {
  /** Brings only this source up to date; default: all. Of the others, the last copies stay. */
  readonly only?: string | undefined;
  readonly acceptRemoval?: boolean | undefined;
  readonly isDryRun?: boolean | undefined;
  /** True if a source that fails is an error, also if it has a copy. */
  readonly needsSuccess?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** How a source is, for people and programs. */
export interface SourceFacts {
  readonly name: string;
  readonly kind: string;
  readonly address: string;
  /** Of its documents. */
  readonly repository: string;
  /** `new`: it has no copy yet. `ready`: it was not asked now. */
  readonly state: SourceUpdate['outcome'] | 'held' | 'new' | 'ready';
  /** Its documents in the index; before the first run the files of its copy. */
  readonly pages: number;
  /** Of its documents; null before a run. */
  readonly changes: SourceFolder['changes'] | null;
  readonly revision: string | null;
  /** When the copy was made. */
  readonly fetched_at: string | null;
  /** When the source was last asked, with success. */
  readonly checked_at: string | null;
  /** Why the last try failed, or why the new copy is not used; null if all is well. */
  readonly problem: string | null;
  readonly hint: string | null;
  readonly refused: readonly Refusal[];
  /** Files of its copy that the last index run left out; null before the first. */
  readonly left_out: UnindexedFiles | null;
}

/** The end of a sync. */
export interface Synced {
  readonly copies: readonly SourceCopy[];
  readonly facts: readonly SourceFacts[];
  /** The error of the first source that failed and has no copy, or needs success; null if there is none. */
  readonly error: unknown;
  /** Folders of copies that only a dry run uses; the caller removes them. */
  readonly drafts: readonly string[];
}

/** Brings the copies of sources up to date, one after the other. A source that fails leaves the others alone. */
export async function syncSources(
  store: SourceStore,
  sources: readonly ListedSource[],
  { only, needsSuccess = false, ...options }: SyncOptions,
): Promise<Synced> {
  const copies: SourceCopy[] = [];
  const facts: SourceFacts[] = [];
  const errors: unknown[] = [];
  const drafts: string[] = [];
  for (const listed of sources) {
    const isAsked = only === undefined || only === listed.source.name;
    const update = listed.source.kind !== 'folder' && isAsked ? await ask(store, listed, options) : null;
    const state = update?.state ?? store.read(listed.source);
    if (update?.draft) drafts.push(update.draft);
    const isLost = options.acceptRemoval === true && isAsked && isMissingFolder(listed.source);
    const found = update ? updateFacts(listed, update) : sourceFacts(listed, state);
    facts.push(isLost ? { ...found, state: 'removed', hint: takeOutHint(found.name) } : found);
    const isUsable = state.copy !== null && !needsSuccess;
    if (update !== null && update.error !== null && !isUsable) errors.push(update.error);
    const lost = options.acceptRemoval === true && isAsked ? 'removed' : 'kept';
    if (update?.outcome !== 'removed' && !isLost) copies.push(sourceCopy(listed, state, lost));
  }
  return { copies, facts, drafts, error: errors[0] ?? null };
}

const ask = (
  store: SourceStore,
  { source }: ListedSource,
  { acceptRemoval = false, isDryRun = false, signal, report }: Omit<SyncOptions, 'only'>,
): Promise<SourceUpdate> =>
  store.update(source, {
    ...{ acceptRemoval, isDryRun, signal },
    report: (line) => report(`${source.name}: ${line}`),
  });

function sourceCopy(
  { source, ...listed }: ListedSource,
  { copy }: SourceState,
  lost: SourceCopy['lost'],
): SourceCopy {
  const isFolder = source.kind === 'folder';
  const addresses = (copy?.files ?? []).flatMap(({ path, address }) =>
    address === '' ? [] : [[path, address] as const],
  );
  return {
    folder: isFolder ? source.address : (copy?.folder ?? null),
    name: source.name,
    root: shownSource(source),
    ...{ docTag: listed.docTag, repository: listed.repository, isTrusted: listed.isTrusted },
    ...{ include: listed.include, exclude: listed.exclude },
    metadata: listed.version === undefined ? undefined : { version: listed.version },
    branchVersion: listed.branchVersion,
    addresses: new Map(addresses),
    usesIgnoreFiles: isFolder,
    allow: listed.allow,
    lost,
  };
}

/** True for a folder of this machine that does not exist. */
export const isMissingFolder = ({ kind, address }: Pick<Source, 'kind' | 'address'>): boolean =>
  kind === 'folder' && statSync(address, { throwIfNoEntry: false }) === undefined;

/** The state of a source, known without a request to it. */
export function sourceFacts({ source, repository }: ListedSource, state: SourceState): SourceFacts {
  const { copy, checkedAt, failure } = state;
  const isFolder = source.kind === 'folder';
  const isMissing = isMissingFolder(source);
  const problem = isMissing ? 'the folder does not exist' : failure;
  return {
    name: source.name,
    kind: source.kind,
    address: shownSource(source),
    repository,
    state: problem !== null ? 'failed' : isFolder || copy ? 'ready' : 'new',
    pages: copy?.files.length ?? 0,
    changes: null,
    revision: copy?.revision ?? null,
    fetched_at: copy?.fetchedAt ?? null,
    checked_at: checkedAt,
    problem,
    hint: isMissing ? removalHint(source.name) : null,
    refused: copy?.refused ?? [],
    left_out: null,
  };
}

/** The facts of a source after an index run, which has read its folder or copy. @param now  ISO 8601 */
export function indexedFacts(
  facts: SourceFacts,
  { pages, changes, heldPages }: SourceFolder,
  now: string,
): SourceFacts {
  const found = { ...facts, pages, changes };
  if (facts.problem !== null) return found;
  if (heldPages !== null)
    return { ...found, state: 'held', problem: heldProblem(heldPages, pages), hint: heldHint(facts.name) };
  const isChanged = changes.added + changes.updated + changes.removed > 0;
  if (facts.kind !== 'folder') return refusedFacts({ ...found, state: isChanged ? 'updated' : facts.state });
  return { ...found, state: isChanged ? 'updated' : 'unchanged', checked_at: now };
}

/** The facts of a source as the last run noted them, if that was of the same one. Another list can have the same index. */
export function notedFacts(known: SourceFacts, noted: NotedSource | undefined): SourceFacts {
  if ((noted?.address ?? known.address) !== known.address) return known;
  const facts = { ...known, left_out: known.state === 'removed' ? null : (noted?.left_out ?? null) };
  if (noted?.pages === undefined) return facts;
  const { pages, checked_at, problem } = noted;
  const { revision = facts.revision, fetched_at = facts.fetched_at } = noted;
  // A machine without the copy does not know when it was made.
  const isNoted = facts.kind === 'folder' || facts.checked_at === null;
  const found = { ...facts, pages, revision, fetched_at, ...(isNoted ? { checked_at } : {}) };
  if (facts.kind === 'folder' && facts.problem !== null && pages === 0)
    return { ...found, hint: takeOutHint(facts.name) };
  const isHeld = facts.problem === null && noted.state === 'held';
  return isHeld ? { ...found, state: 'held', problem, hint: heldHint(facts.name) } : refusedFacts(found);
}

/** A source of which nothing was read has failed. */
function refusedFacts(facts: SourceFacts): SourceFacts {
  if (facts.problem !== null || facts.pages > 0 || facts.refused.length === 0) return facts;
  return { ...facts, state: 'failed', problem: 'none of its files could be read' };
}

const takeOutHint = (name: string): string => `Take it out of the list: pith remove ${name}`;
const removalHint = (name: string): string =>
  `If it is gone for good, remove its pages: pith sync ${name} --accept-removal`;
const heldHint = (name: string): string =>
  `If this is what you want, run: pith sync ${name} --accept-removal`;
const heldProblem = (pages: number, before: number): string =>
  `it has ${pages} ${pages === 1 ? 'page' : 'pages'} now instead of ${before}, so its old pages stay`;

function updateFacts(listed: ListedSource, { outcome, state, error }: SourceUpdate): SourceFacts {
  const removal = state.copy !== null && isGone(error) ? [removalHint(listed.source.name)] : [];
  const advice = error instanceof PithError ? [error.hint, ...removal].join(' ') : null;
  const hint = outcome === 'removed' ? takeOutHint(listed.source.name) : advice;
  const facts = sourceFacts(listed, state);
  return { ...facts, state: outcome, hint: facts.hint ?? hint };
}

const MAX_EXAMPLES = 5;

/** The facts of a source after an index run that read its files. */
export function withLosses(facts: SourceFacts, { skipped, unread }: SourceLosses): SourceFacts {
  const problemsFirst = [...skipped].sort((a, b) => Number(b.isProblem) - Number(a.isProblem));
  const examples = problemsFirst.slice(0, MAX_EXAMPLES).map(({ path, reason }) => ({ path, reason }));
  return { ...facts, left_out: { skipped: skipped.length, examples, unread: [...unread] } };
}
