import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import { isSiteSetting, MAX_SITE_BYTES } from '../../ingest/site-rules.js';
import { SITE_BESIDE } from '../../ingest/trails/navigation.js';
import {
  COPY_LIMITS,
  CopyFiles,
  type CopyLimits,
  copyPathProblem,
  CopyTooLargeError,
} from '../copy-files.js';
import { shownAddress } from '../read-address.js';
import type { CopiedFile, FetchedCopy, FetchRequest, GitSource } from '../source.js';
import { gitConnection, gitPageAddress } from './git-connection.js';
import { checkVersion, FETCH, GitError, type GitPlace, runGit } from './git-program.js';
import { writeBlobs } from './write-blobs.js';

/** The limits of one run and of a repository. */
export interface GitLimits extends CopyLimits {
  readonly ms: number;
}

const LIMITS: GitLimits = { ...COPY_LIMITS, ms: 600_000 };
const WATCH_MS = 500;
/** Every transfer adds a pack. With this number of them, the repository is transferred anew. */
const MAX_PACKS = 50;
/** The name that the commit has in our repository. */
const COPY_REF = 'refs/pith/copy';

const REGULAR = ['100644', '100755', '100664'];
const NOT_READ: Readonly<Record<string, string>> = {
  120000: 'a symbolic link',
  160000: 'a submodule; add its repository as a source',
};

/** A branch or a tag of a repository, with the commit that it names. */
interface FoundRef {
  /** The whole name; `HEAD` for the one that the repository names. */
  readonly name: string;
  /** For people. */
  readonly shown: string;
  readonly isTag: boolean;
  readonly commit: string;
}

/** A file of a commit. */
interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
  /** From the root of the repository. */
  readonly path: string;
}

/**
 * Brings the files of a branch into a folder, with the system's git. Only what has changed is transferred and written. Git
 * makes no file itself: it gives the bytes of blobs, so no attribute, filter, hook or link of a repository has an effect.
 * @param cache  a folder that is kept between runs
 */
export async function fetchGit(
  request: FetchRequest<GitSource>,
  cache: string,
  limits: GitLimits = LIMITS,
): Promise<FetchedCopy> {
  const { source } = request;
  const stop = new AbortController();
  const deadline = AbortSignal.timeout(limits.ms);
  const signal = AbortSignal.any([request.signal, stop.signal, deadline]);
  const place = { ...(await gitConnection(source)), repository: join(cache, 'git'), signal };
  const watch = setInterval(() => stopLarge(place, limits, stop), WATCH_MS);
  try {
    return await copyOrRepair(request, place, limits);
  } catch (error) {
    request.signal.throwIfAborted();
    throw deadline.aborted
      ? tooSlow(error, limits)
      : error instanceof CopyTooLargeError
        ? tooLarge(error.message)
        : error;
  } finally {
    clearInterval(watch);
  }
}

const revisionFor = ({ commit, shown }: FoundRef): string => `${commit} ${shown}`;

const tooSlow = (cause: unknown, { ms }: GitLimits): BackendUnavailableError =>
  new BackendUnavailableError(`The repository was not read within ${ms / 60_000} minutes.`, {
    reason: 'source_timeout',
    hint: 'Try again, or give a folder of the repository: ADDRESS#BRANCH:FOLDER.',
    cause,
  });

const tooLarge = (what: string): InvalidArgumentError =>
  new InvalidArgumentError(`The repository is too large: ${what}.`, {
    reason: 'source_too_large',
    hint: 'Give a folder of the repository: ADDRESS#BRANCH:FOLDER.',
  });

function packs(place: Pick<GitPlace, 'repository'>): string[] {
  const folder = join(place.repository, 'objects', 'pack');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** The size of all objects. A server without the protocol of git gives them one by one. */
function transferredBytes({ repository }: GitPlace): number {
  const folder = join(repository, 'objects');
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() === true ? found.size : 0);
  }, 0);
}

function stopLarge(place: GitPlace, { bytes }: GitLimits, stop: AbortController): void {
  if (transferredBytes(place) > bytes) stop.abort(tooLarge(`git has transferred more than ${bytes} bytes`));
}

/** Old objects are never removed one by one. A repository that they fill is transferred anew before the limit ends a run. */
async function prepare(place: GitPlace, { bytes }: GitLimits): Promise<void> {
  const { repository } = place;
  await checkVersion(place);
  const count = packs(place).filter((file) => file.endsWith('.pack')).length;
  if (count > MAX_PACKS || transferredBytes(place) > bytes / 2)
    rmSync(repository, { recursive: true, force: true });
  if (existsSync(join(repository, 'HEAD'))) return;
  // A folder of hooks or templates that the system has is not copied.
  rmSync(repository, { recursive: true, force: true });
  makeFolder(repository, 0o700);
  await runGit(['init', '--quiet', '--bare', '--template=', repository], place);
}

async function findRef({ branch, address }: GitSource, place: GitPlace): Promise<FoundRef> {
  const wanted = branch === undefined ? ['HEAD'] : [`refs/heads/${branch}`, `refs/tags/${branch}`];
  const peeled = branch === undefined ? [] : [`refs/tags/${branch}^{}`];
  const listed = await runGit(['ls-remote', '--symref', 'origin', ...wanted, ...peeled], place);
  const lines = listed
    .toString()
    .split('\n')
    .map((line) => line.split('\t'));
  const commits = new Map(
    lines.map(([value = '', name = '']) => [value.startsWith('ref:') ? '' : name, value]),
  );
  const name = wanted.find((each) => commits.has(each));
  const commit = commits.get(`${name}^{}`) ?? commits.get(name ?? '') ?? '';
  if (name === undefined || !/^[\da-f]{40,64}$/.test(commit))
    throw noBranch(branch, shownAddress({ address }));
  const [head = ''] = lines.find(([value = '', each]) => value.startsWith('ref:') && each === 'HEAD') ?? [];
  const isTag = name.startsWith('refs/tags/');
  return { name, shown: branch ?? (head.replace(/^ref: (?:refs\/heads\/)?/, '') || 'HEAD'), isTag, commit };
}

const noBranch = (branch: string | undefined, shown: string): InvalidArgumentError =>
  new InvalidArgumentError(
    branch === undefined ? `${shown} is empty.` : `${shown} has no branch or tag "${branch}".`,
    {
      reason: 'branch_missing',
      hint: 'Check the name of the branch, and whether something was pushed to it.',
    },
  );

/** Messages of git about a repository of ours that a killed run or a full disk has damaged. */
const DAMAGED =
  /corrupt|bad object|unable to read|\.lock'|missing (?:blob|tree|commit)|invalid|index-pack failed|not a git repository: /i;

/** Copies the commit that a source names now; once more with an empty repository if ours is damaged. */
async function copyOrRepair(
  request: FetchRequest<GitSource>,
  place: GitPlace,
  limits: GitLimits,
): Promise<FetchedCopy> {
  try {
    return await copyNewest(request, place, limits);
  } catch (error) {
    if (!(error instanceof GitError) || !DAMAGED.test(error.problem)) throw error;
    rmSync(place.repository, { recursive: true, force: true });
    return copyNewest(request, place, limits);
  }
}

async function copyNewest(
  request: FetchRequest<GitSource>,
  place: GitPlace,
  limits: GitLimits,
): Promise<FetchedCopy> {
  const { source, previous } = request;
  await prepare(place, limits);
  const ref = await findRef(source, place);
  if (previous?.copy.revision === revisionFor(ref)) return previous.copy;
  return copyCommit(request, { place, ref, limits });
}

interface Copying {
  readonly place: GitPlace;
  readonly ref: FoundRef;
  readonly limits: GitLimits;
}

async function copyCommit(
  { source, folder, previous, report }: FetchRequest<GitSource>,
  { place, ref, limits }: Copying,
): Promise<FetchedCopy> {
  await transfer(source, ref, place);
  const commit = (await runGit(['rev-parse', '--verify', `${COPY_REF}^{commit}`], place)).toString().trim();
  const seconds = (await runGit(['log', '-1', '--format=%ct', commit], place)).toString().trim();
  const date = new Date(Number(seconds) * 1000).toISOString();
  const copied = { ...ref, commit };
  const within = source.path === undefined ? [] : [source.path];
  const tree = await listTree(commit, place, { within, isDeep: true });
  const inside = folderInside(source, tree);
  const copy = new CopyFiles(join(folder, inside), limits);
  const before = new Map(previous?.copy.files.map((file) => [`${file.path}\n${file.etag}`, file]));
  const changed = new Map<string, CopiedFile[]>();
  for (const { path, oid, mode } of tree) {
    const name = inside === '' ? path : path.slice(inside.length + 1);
    if (!REGULAR.includes(mode)) copy.refuse(path, NOT_READ[mode] ?? 'not a regular file');
    if (!REGULAR.includes(mode) || copy.leavesOut(name)) continue;
    const known = before.get(`${name}\n${oid}`);
    const file = { path: name, address: gitPageAddress(source, copied, path), etag: oid };
    const isKept = previous && known && copy.link(keptFile(known, file.address), join(previous.folder, name));
    if (isKept !== true) changed.set(oid, [...(changed.get(oid) ?? []), { ...file, modifiedAt: date }]);
  }
  const files = [...changed.values()].reduce((sum, same) => sum + same.length, 0);
  report(`new files of ${ref.shown} at ${commit.slice(0, 10)}: ${files}`);
  await writeBlobs(changed, copy, { place, limits, isPartial: source.path !== undefined });
  if (copy.files.length === 0 && copy.refused.length === 0) throw nothingAt(source);
  await copySettings({ inside, folder, commit }, place, limits);
  return { files: copy.files, refused: copy.refused, inside, revision: revisionFor(copied) };
}

const keptFile = (known: CopiedFile, address: string): CopiedFile => ({ ...known, address });

const nothingAt = ({ address, path = '' }: GitSource): InvalidArgumentError =>
  new InvalidArgumentError(`${shownAddress({ address })} has no files${path === '' ? '' : ` at ${path}`}.`, {
    reason: 'source_empty',
    hint: 'Check the branch and the folder: ADDRESS#BRANCH:FOLDER.',
  });

/** The folder that a source names, or that of the file which it names; '' for a whole repository. */
function folderInside({ path = '' }: GitSource, tree: readonly TreeEntry[]): string {
  const isFile = tree.some((entry) => entry.path === path);
  const folder = isFile && path.includes('/') ? posix.dirname(path) : isFile ? '' : path;
  // Such a path has no files that are read.
  return copyPathProblem(folder) === null ? folder : '';
}

/** Of the folders above a source, copies the settings of its site, which decide the anchors and titles of its pages. */
async function copySettings(
  { inside, folder, commit }: { readonly inside: string; readonly folder: string; readonly commit: string },
  place: GitPlace,
  limits: GitLimits,
): Promise<void> {
  if (inside === '') return;
  const parts = inside.split('/').slice(0, -1);
  const above = ['', ...parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`)];
  const places = above
    .flatMap((at) => [at, `${at}config/_default/`, `${at}${SITE_BESIDE}/`])
    .filter((at) => at !== '');
  const found = [
    ...(await listTree(commit, place, {})),
    ...(await listTree(commit, place, { within: places })),
  ].filter(({ path, mode }) => REGULAR.includes(mode) && isSiteSetting(path));
  const wanted = new Map<string, CopiedFile[]>();
  for (const { path, oid } of found) wanted.set(oid, [...(wanted.get(oid) ?? []), { path, address: '' }]);
  const copy = new CopyFiles(folder, { ...limits, fileBytes: MAX_SITE_BYTES });
  await writeBlobs(wanted, copy, { place, limits, isPartial: true });
}

/** Transfers one commit. Of a folder, first its tree, since most of the files may be elsewhere. */
async function transfer({ path }: GitSource, { name }: FoundRef, place: GitPlace): Promise<void> {
  const filter = path === undefined ? `blob:limit=${LIMITS.fileBytes}` : 'blob:none';
  const refspec = `+${name}:${COPY_REF}`;
  try {
    await runGit([...FETCH, '--depth=1', `--filter=${filter}`, 'origin', refspec], place);
  } catch (error) {
    // A web server that only has the files of a repository can give all of it, and nothing less.
    if (!(error instanceof GitError) || !/dumb http|does not support/i.test(error.problem)) throw error;
    await runGit([...FETCH, 'origin', refspec], place);
  }
}

/** Lists the entries of the paths of a commit, or of its root. @param isDeep  lists files of all folders, and no folders */
async function listTree(
  commit: string,
  place: GitPlace,
  { within = [], isDeep = false }: { readonly within?: readonly string[]; readonly isDeep?: boolean },
): Promise<readonly TreeEntry[]> {
  const flags = ['-z', '--full-tree', ...(isDeep ? ['-r'] : [])];
  const paths = within.length > 0 ? ['--', ...within] : [];
  const listed = await runGit(['ls-tree', ...flags, commit, ...paths], place);
  return listed
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, oid, name] = /^(\d{6}) \w+ ([\da-f]+)\t([^]+)$/.exec(line) ?? [];
      return mode && oid && name ? [{ mode, oid, path: name }] : [];
    });
}
