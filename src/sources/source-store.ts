import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../config/index-sources.js';
import { makeFolder } from '../config/make-folder.js';
import { PithError } from '../core/errors.js';
import { lockFile } from './lock-file.js';
import type { AnySource } from './read-address.js';
import { WebFailure } from './site/web-client.js';
import type { FetchedCopy, FetchRequest } from './source.js';

const fileSchema = z.object({
  path: z.string(),
  address: z.string(),
  modifiedAt: z.string().optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});
const copySchema = z.object({
  version: z.literal(1),
  /** The name of the folder with the files, beside this manifest. */
  folder: z.string().regex(/^copy-[\da-f]+$/),
  inside: z.string().optional(),
  revision: z.string(),
  fetchedAt: z.string(),
  files: z.array(fileSchema),
  refused: z.array(z.object({ address: z.string(), reason: z.string() })),
});
const stateSchema = z.object({
  /** When the source was last asked, with success. */
  checkedAt: z.string().nullable(),
  /** Why the last try failed; null after a success. */
  failure: z.string().nullable(),
});

/** The last whole copy of a source, with its place. */
interface StoredCopy extends FetchedCopy {
  /** Absolute path of its files. */
  readonly folder: string;
  readonly fetchedAt: string;
}

export interface SourceState extends z.output<typeof stateSchema> {
  readonly copy: StoredCopy | null;
}

export interface SourceUpdate {
  /**
   * `failed`: the source can't be read, so the last copy stays, if there is one. `removed`: it is gone, which was accepted,
   * and so is its copy.
   */
  readonly outcome: 'unchanged' | 'updated' | 'failed' | 'removed';
  /** After a dry run with the new copy. */
  readonly state: SourceState;
  /** The folder of the new copy of a dry run, which the caller removes; null if there is none. */
  readonly draft: string | null;
  /** Of a source that failed or is gone. */
  readonly error: unknown;
}

export interface UpdateOptions {
  /** Deletes the copy of a source that is gone. */
  readonly acceptRemoval?: boolean;
  /** Makes a draft of the new copy, and keeps the last one. */
  readonly isDryRun?: boolean;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** Brings a source into a folder. @param cache  a folder that the fetcher keeps between runs */
export type FetchCopy = (request: FetchRequest<AnySource>, cache: string) => Promise<FetchedCopy>;

const KEY_CHARS = 12;
/** Other processes may still index the copy before the last one. */
const KEPT_COPIES = 2;
/** No dry run takes longer, on whatever host it runs. */
const DRY_RUN_MS = 86_400_000;

/** The copies of sources in the data folder: of each source the last whole one, which survives a failed or killed run. */
export class SourceStore {
  /** @param root  the folder of all copies */
  constructor(
    private readonly root: string,
    private readonly fetch: FetchCopy,
    private readonly now: () => number,
  ) {}

  read(source: AnySource): SourceState {
    const place = this.placeFor(source);
    const state = readJson(join(place, 'state.json'), stateSchema);
    const { checkedAt = null, failure = null } = state ?? {};
    return { checkedAt, failure, copy: readCopy(place) };
  }

  /** Brings the copy of a source up to date. One process at a time does this; others wait. */
  async update(source: AnySource, options: UpdateOptions): Promise<SourceUpdate> {
    const place = this.placeFor(source);
    makeFolder(place, 0o700);
    const unlock = await lockFile(join(place, 'lock'), this.now, options.signal);
    const use = options.isDryRun === true ? 'planned' : 'draft';
    const next = join(place, `${use}-${randomBytes(8).toString('hex')}`);
    let draft: string | null = null;
    try {
      sweepDrafts(place, this.now());
      mkdirSync(next, { mode: 0o700 });
      const done = await this.replace(source, { place, next }, options);
      draft = done.draft;
      return done;
    } catch (error) {
      options.signal.throwIfAborted();
      return this.fail(source, error, options);
    } finally {
      if (draft === null) rmSync(next, { recursive: true, force: true });
      unlock();
    }
  }

  /** Forgets a source and its copy, after processes that make one. Another list with this source fetches it again. */
  async remove(source: AnySource): Promise<void> {
    const place = this.placeFor(source);
    if (!existsSync(place)) return;
    const unlock = await lockFile(join(place, 'lock'), this.now, new AbortController().signal);
    try {
      forgetCopies(place);
      rmSync(join(place, 'state.json'), { force: true });
    } finally {
      // The folder stays: others may wait for the lock in it.
      unlock();
    }
  }

  private async replace(
    source: AnySource,
    { place, next }: { readonly place: string; readonly next: string },
    { isDryRun = false, signal, report }: UpdateOptions,
  ): Promise<SourceUpdate> {
    const last = readCopy(place);
    const previous = last && { folder: last.folder, copy: last };
    const fetched = await this.fetch(
      { source, folder: next, previous, signal, report },
      join(place, 'cache'),
    );
    // A dry run notes nothing, so the noted state can be that of an earlier run.
    const done = (outcome: 'unchanged' | 'updated', draft?: StoredCopy): SourceUpdate => {
      const state = { ...this.read(source), failure: null, ...(draft && { copy: draft }) };
      return { outcome, state, draft: draft ? next : null, error: null };
    };
    if (last?.revision === fetched.revision) {
      if (!isDryRun) this.note(place, null);
      return done('unchanged');
    }
    const { files, refused, revision, inside = '' } = fetched;
    const fetchedAt = new Date(this.now()).toISOString();
    if (isDryRun) return done('updated', { ...fetched, folder: join(next, inside), fetchedAt });
    const folder = `copy-${randomBytes(8).toString('hex')}`;
    renameSync(next, join(place, folder));
    const manifest = { version: 1, folder, inside, revision, fetchedAt, files, refused };
    writeWhole(join(place, 'copy.json'), manifest);
    this.note(place, null);
    removeOld(place, join(place, folder));
    return done('updated');
  }

  private fail(source: AnySource, error: unknown, options: UpdateOptions): SourceUpdate {
    const place = this.placeFor(source);
    const isRemoved = options.acceptRemoval === true && isGone(error);
    const failure = error instanceof Error ? error.message : String(error);
    if (options.isDryRun !== true) {
      if (isRemoved) forgetCopies(place);
      this.note(place, failure);
    }
    const outcome = isRemoved ? 'removed' : 'failed';
    return { outcome, state: { ...this.read(source), failure }, draft: null, error };
  }

  /** Notes the end of a try. @param failure  null for a success; a failure leaves the time of the last one */
  private note(place: string, failure: string | null): void {
    const before = readJson(join(place, 'state.json'), stateSchema);
    const checkedAt = failure === null ? new Date(this.now()).toISOString() : (before?.checkedAt ?? null);
    writeWhole(join(place, 'state.json'), { checkedAt, failure });
  }

  private placeFor({ kind, name, address, ...source }: AnySource): string {
    const { branch = '', path = '' } = 'branch' in source || 'path' in source ? source : {};
    const digest = createHash('sha256')
      .update(JSON.stringify([kind, address, branch, path]))
      .digest('hex');
    return join(this.root, `${name}-${digest.slice(0, KEY_CHARS)}`);
  }
}

function readCopy(place: string): StoredCopy | null {
  const stored = readJson(join(place, 'copy.json'), copySchema);
  const folder = join(place, stored?.folder ?? '', stored?.inside ?? '');
  if (stored === null || !existsSync(folder)) return null;
  return { ...stored, folder };
}

const GONE = ['source_missing', 'branch_missing'];

/** True if the source itself says that it does not exist. Failures of networks, programs and settings say nothing about it. */
export const isGone = (error: unknown): boolean =>
  error instanceof PithError &&
  (GONE.includes(error.reason) || (error.cause instanceof WebFailure && error.cause.isGone));

/** Removes the manifest first, so that no copy without it is used. */
function forgetCopies(place: string): void {
  rmSync(join(place, 'copy.json'), { force: true });
  for (const name of readdirSync(place))
    if (!['lock', 'state.json'].includes(name)) rmSync(join(place, name), { recursive: true, force: true });
}

/** Removes what processes that were killed have left, under the lock. Only dry runs use a draft after they release it. */
function sweepDrafts(place: string, now: number): void {
  for (const name of readdirSync(place).filter((each) => /^(?:draft|planned)-/.test(each))) {
    const draft = join(place, name);
    const madeAt = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? now;
    const isUsed = name.startsWith('planned-') && now - madeAt < DRY_RUN_MS;
    if (!isUsed) rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes copies that nobody uses any more. */
function removeOld(place: string, current: string): void {
  const copies = readdirSync(place)
    .filter((name) => name.startsWith('copy-'))
    .map((name) => join(place, name))
    .filter((path) => path !== current)
    .map((path) => ({ path, made: statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0 }))
    .sort((a, b) => b.made - a.made);
  for (const { path } of copies.slice(KEPT_COPIES - 1)) rmSync(path, { recursive: true, force: true });
}

function readJson<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    // It is missing, or was written by another version: the source is fetched again.
    return null;
  }
}
