import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.js';
import { sourcesPlace } from '../config/index-sources.js';
import { DEFAULT_ENVIRONMENT } from '../config/owner-settings.js';
import { BackendUnavailableError, InvalidArgumentError } from '../core/errors.js';
import { type BuiltIndex, IndexMirror, type MirrorProgress, type ShowFilled } from '../ingest/built-index.js';
import { fileDigest } from '../ingest/file-digest.js';
import type { IndexOwner } from '../sqlite/index-file.js';
import { indexBusy } from '../sqlite/open-database.js';
import { FILE_VERSIONS } from '../sqlite/schema.js';
import { copyIndex, lockIndex, readGenerations, replaceIndex } from '../sqlite/writing/replace-index.js';
import { openPostgres } from './postgres/open-postgres.js';
import {
  type FileBase,
  type FileVersion,
  type IndexFileName,
  isSameVersion,
  type OnBlocks,
  PostgresIndexFiles,
} from './postgres/postgres-index-files.js';

/** Servers of another version keep an index that they can read, for example while replicas are replaced one by one. */
const FORMAT = Object.values(FILE_VERSIONS).join('.');

const ignore = (): void => undefined;

/** Kept beside the local file. */
interface LocalBase extends FileBase {
  /** Those of the local file at that version. */
  readonly generations: string;
}

const NO_BASE: LocalBase = { version: 0, sha256: '', generations: '' };

const changedMeanwhile = (file: string): BackendUnavailableError =>
  new BackendUnavailableError(
    `The index in PITH_DATABASE is not the one that ${file} was made from: another run has stored its own meanwhile.`,
    {
      serverFile: file,
      reason: 'index_busy',
      hint: 'Run it again: it begins with the stored index. Let only one server or job index the documents of a project.',
    },
  );

const unknownFile = (file: string): BackendUnavailableError =>
  new BackendUnavailableError(`${file} was not made from the index in PITH_DATABASE.`, {
    serverFile: file,
    reason: 'index_incompatible',
    hint: 'Move the file away, and the stored index takes its place; or give another path in PITH_INDEX.',
  });

const damaged = ({ projectId, environment, name }: IndexFileName): BackendUnavailableError =>
  new BackendUnavailableError(
    'The index in PITH_DATABASE is damaged: its blocks are not those of its file.',
    {
      reason: 'postgres',
      hint: `Delete the rows of project ${projectId}, environment ${environment} and name ${name} from pith.index_file and pith.index_block. Then run pith index.`,
    },
  );

/** The index file of this process and the one that PITH_DATABASE stores for all of them. */
export class SharedIndex {
  private readonly draft: string;
  /** The stored file with its sources. */
  private readonly sources: IndexFileName;

  /** @param file  path of the local file */
  constructor(
    private readonly file: string,
    private readonly name: IndexFileName,
    private readonly stored: PostgresIndexFiles,
  ) {
    // One process at a time writes it, under the lock of the index.
    this.draft = `${file}.draft`;
    this.sources = { ...name, name: `sources of ${name.name}` };
  }

  /**
   * Replaces the local file, and the list of its sources, if the database stores other versions.
   * @returns the new version; null if the local file is that version, or none is stored
   * @throws BackendUnavailableError `postgres`, `index_incompatible`; `index_busy` while the local file is written
   */
  async fetch(): Promise<FileVersion | null> {
    const fetched = (await this.isCurrent()) ? null : await this.locked(() => this.update(this.name));
    await this.fetchSources();
    return fetched;
  }

  /**
   * Begins with the stored index, or with that of another version of Pith, whose memory is kept.
   * @throws BackendUnavailableError as `fetch`
   */
  async begin(): Promise<void> {
    await this.fetch();
    if (existsSync(this.file)) return;
    const earlier = await this.stored.earlier(this.name);
    if (earlier) await this.locked(() => this.update(earlier));
  }

  /**
   * Changes the local file or the list of its sources and stores both, beginning with the stored ones.
   * @throws BackendUnavailableError `postgres`, `index_busy`, `index_incompatible`; InvalidArgumentError `project_mismatch`
   */
  async change<T>(work: () => Promise<T>): Promise<T> {
    await this.begin();
    return this.locked(async () => {
      if (!(await this.isCurrent())) await this.update(this.name);
      const result = await work();
      if (existsSync(this.file)) await this.store(ignore);
      const path = sourcesPlace(this.file);
      const base = await this.stored.version(this.sources);
      if (existsSync(path)) await this.stored.store(this.sources, { path, base }, ignore);
      return result;
    });
  }

  /**
   * Stores the local file, as readers see it, for all processes; fast if it has not changed.
   * @throws BackendUnavailableError `postgres`, `index_busy`; InvalidArgumentError `project_mismatch`
   */
  async store(onBlocks: OnBlocks): Promise<void> {
    const { generations, ...base } = this.base();
    const isUnchanged = generations === readGenerations(this.file);
    if (isUnchanged && isSameVersion(await this.stored.version(this.name), base)) return;
    try {
      const owner = await copyIndex(this.file, this.draft);
      if (owner) this.requireOwner(owner);
      const stored = await this.stored.store(this.name, { path: this.draft, base }, onBlocks);
      if (!stored) throw changedMeanwhile(this.file);
      this.keepBase(this.name, stored);
    } finally {
      rmSync(this.draft, { force: true });
    }
  }

  close(): Promise<void> {
    return this.stored.close();
  }

  private async fetchSources(): Promise<void> {
    const place = sourcesPlace(this.file);
    const { version, sha256 } = await this.stored.version(this.sources);
    if (version === 0 || (existsSync(place) && (await fileDigest(place)) === sha256)) return;
    // Several servers and runs may have one folder. A run that changes the list stores it.
    const release = lockIndex(this.file);
    if (!release) return;
    try {
      writeFileSync(this.draft, '', { mode: 0o600 });
      await this.stored.load(this.sources, { path: this.draft, since: 0 });
      renameSync(this.draft, place);
    } finally {
      rmSync(this.draft, { force: true });
      release();
    }
  }

  private requireOwner({ projectId, environment }: IndexOwner): void {
    if (projectId === this.name.projectId && environment === this.name.environment) return;
    throw new InvalidArgumentError(
      `${this.file} holds project "${projectId}" (${environment}), and PITH_DATABASE stores "${this.name.projectId}" (${this.name.environment}).`,
      {
        serverFile: this.file,
        reason: 'project_mismatch',
        hint: 'Give --project and --environment as in PITH_PROJECT and PITH_ENVIRONMENT.',
      },
    );
  }

  private async isCurrent(): Promise<boolean> {
    const version = await this.stored.version(this.name);
    return version.version === 0 || (existsSync(this.file) && isSameVersion(version, this.base()));
  }

  /** @throws BackendUnavailableError `index_busy` while another process writes the local file */
  private async locked<T>(work: () => Promise<T>): Promise<T> {
    const release = lockIndex(this.file);
    if (!release) throw indexBusy(this.file, new Error('another process writes the index'));
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Replaces the local file, under its lock. */
  private async update(name: IndexFileName): Promise<FileVersion> {
    if (existsSync(this.file) && !existsSync(`${this.file}.stored`)) throw unknownFile(this.file);
    const { version } = this.base();
    try {
      const loaded = (version > 0 && (await this.load(name, version))) || (await this.load(name, 0));
      if (!loaded) throw damaged(name);
      if (!replaceIndex(this.file, this.draft))
        throw indexBusy(this.file, new Error('a reader uses its log'));
      this.keepBase(name, loaded);
      return loaded;
    } finally {
      rmSync(this.draft, { force: true });
    }
  }

  /**
   * Makes the draft of a stored version.
   * @param since  the version of the local file; 0 to load all of the stored one
   * @returns null if the draft is not the stored one then, because the local file is not what it should be
   */
  private async load(name: IndexFileName, since: number): Promise<FileVersion | null> {
    try {
      if (since > 0) await copyIndex(this.file, this.draft);
      else writeFileSync(this.draft, '', { mode: 0o600 });
    } catch {
      // The local file is damaged, or gone.
      return null;
    }
    const version = await this.stored.load(name, { path: this.draft, since });
    return (await fileDigest(this.draft)) === version.sha256 ? version : null;
  }

  private base(): LocalBase {
    try {
      const { version, sha256, generations, ...name } = JSON.parse(
        readFileSync(`${this.file}.stored`, 'utf8'),
      );
      if (!isDeepStrictEqual(name, this.name)) return NO_BASE;
      return { version: Number(version), sha256: String(sha256), generations: String(generations) };
    } catch {
      // The file was not made from a stored one.
      return NO_BASE;
    }
  }

  private keepBase(name: IndexFileName, { version, sha256 }: FileBase): void {
    const generations = readGenerations(this.file);
    writeFileSync(this.draft, JSON.stringify({ ...name, version, sha256, generations }));
    renameSync(this.draft, `${this.file}.stored`);
  }
}

/** Stores each published index in the database; begins each run with the stored one. */
export class SharedIndexMirror extends IndexMirror {
  readonly engine = 'postgres';

  constructor(private readonly shared: SharedIndex) {
    super();
  }

  begin(): Promise<void> {
    return this.shared.begin();
  }

  /** Servers see the file when it is stored, so this waits until the other engines are filled. */
  async fill(_: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled> {
    return () => this.shared.store((blocks) => onProgress({ engine: this.engine, ...blocks }));
  }

  close(): Promise<void> {
    return this.shared.close();
  }
}

/** The shared index of a server or run; null if the index is only a file. @throws InvalidConfigurationError */
export function openSharedIndex(config: Config): SharedIndex | null {
  const { index, scope } = config;
  if (index.store === 'file') return null;
  const name = {
    projectId: scope.project,
    environment: scope.environment || DEFAULT_ENVIRONMENT,
    name: `index ${FORMAT}`,
  };
  return new SharedIndex(
    index.file,
    name,
    new PostgresIndexFiles(openPostgres(config, 'server', 'database')),
  );
}
