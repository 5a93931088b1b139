import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { corporaFolder } from '../../config/local-state.js';
import { makeFolder } from '../../config/make-folder.js';
import { outsideOfCalls } from '../../core/call-signal.js';
import { BackendUnavailableError } from '../../core/errors.js';
import type { GraphStore } from '../../core/ports/graph-store.port.js';
import type { SectionIndex } from '../../core/ports/section-index.port.js';
import { newQueue } from '../../core/turns/queue.js';
import { embedderFor, type OpenedModels, withModels } from '../../engines/open-models.js';
import { openPostgres } from '../../engines/postgres/open-postgres.js';
import { PostgresIndexFiles } from '../../engines/postgres/postgres-index-files.js';
import { SharedIndex } from '../../engines/shared-index.js';
import { runUnderWay } from '../../ingest/runs/index-failures.js';
import {
  IndexProcesses,
  type IndexRequest,
  type IndexRunReport,
  type IndexRunWatch,
} from '../../ingest/runs/index-processes.js';
import { countIn, type Database } from '../../sqlite/driver.js';
import { makePort } from '../../sqlite/reader-ports.js';
import { ReaderThreads } from '../../sqlite/reader-threads.js';
import { APPLICATION_ID } from '../../sqlite/schema.js';
import type { KeptStore } from '../../sqlite/stores/kept-store.js';
import { WORK_STORE } from '../work-databases.js';
import type { WorkSpace } from '../work-space.js';
import { corporaBusy } from './corpus-store.js';
import { RUN_MS } from './indexing/index.schemas.js';

/** The open index and graph of one corpus. */
interface CorpusEngines {
  readonly index: SectionIndex;
  /** Null if the graph is switched off. */
  readonly graph: GraphStore | null;
}

/** Each open index has a thread, which takes about 50 MB. */
const MAX_OPEN = 4;
/** An index in the database is named at once; a server that can't name it in this time has ended (ms). */
const NAMING_MS = 600_000;
const ID = /^[0-9a-f-]{36}$/;
const END = '.sqlite';
/** Index files have no version of their own: their stamp says what can read them. */
const CORPUS_INDEX = { id: APPLICATION_ID, version: 0 };

interface OpenCorpus {
  readonly threads: ReaderThreads;
  /** Calls that read it now. */
  users: number;
  /** Called when the last of them has ended. */
  onIdle?: () => void;
}

const hasTable = (database: Database, name: string): boolean =>
  countIn(database, `sqlite_schema WHERE type = 'table' AND name = '${name}'`) > 0;

const isIndexName = (name: string): boolean => name.endsWith(END) && ID.test(name.slice(0, -END.length));

/** Another process of this host fetches the same index; a call that comes too early is repeated. */
function unlessBusy(error: unknown): null {
  if (error instanceof BackendUnavailableError && error.reason === 'index_busy') return null;
  throw error;
}

/** Of an index in the database. */
const storedName = (id: string): string => `corpus ${id}`;

const corpusStore = (folder: string, name: string): KeptStore => ({
  ...{ name, file: join(folder, name), kind: CORPUS_INDEX },
  // All tables of an index are made when it is published.
  isComplete: (pinned) => hasTable(pinned, 'meta'),
});

/**
 * The files of the work of agents, for backups: its store if that is no database, and the indexes of named corpora. A
 * store names the corpora that it has. A database can't be read at the moment of the backup, so all indexes are listed.
 * @param parts  names in an archive that is restored
 */
export async function listWorkStores(
  config: Config,
  parts: readonly string[],
): Promise<readonly KeptStore[]> {
  const { domains, backends } = config;
  const folder = corporaFolder(config);
  const corpora = (names: readonly string[]): KeptStore[] =>
    names
      .filter(isIndexName)
      .sort()
      .map((name) => corpusStore(folder, name));
  if (backends.database !== '')
    return corpora([...new Set([...parts, ...(await readdir(folder).catch(() => []))])]);
  const named = (pinned: Database): KeptStore[] => {
    if (!hasTable(pinned, 'knowledge_corpus')) return [];
    const rows = pinned.prepare('SELECT id FROM knowledge_corpus').all();
    return corpora(rows.map(({ id }) => `${String(id)}${END}`));
  };
  return [{ name: 'work.sqlite', file: domains.workFile, kind: WORK_STORE, named }, ...corpora(parts)];
}

/** The indexes of named corpora, by id. */
export class CorpusIndexes {
  /** The index used longest ago comes first. */
  private readonly open = new Map<string, OpenCorpus>();
  private readonly processes = new IndexProcesses();
  private readonly folder: string;
  /** Null without PITH_DATABASE: the files of this server are the only ones. */
  private readonly stored: PostgresIndexFiles | null;
  /** When indexes in the database were first found without a name, by id (ms since the epoch). */
  private unnamed: ReadonlyMap<string, number> = new Map();
  /** Indexes that are fetched now, by id. */
  private readonly fetching = new Map<string, Promise<boolean>>();
  private readonly inTurn = newQueue();

  constructor(
    private readonly config: Config,
    private readonly models: OpenedModels,
  ) {
    this.folder = corporaFolder(config);
    const isShared = config.backends.database !== '';
    this.stored = isShared ? new PostgresIndexFiles(openPostgres(config, 'server', 'database')) : null;
  }

  /** True while this server builds one. */
  get isBuilding(): boolean {
    return this.processes.isRunning;
  }

  /**
   * Builds a new index, in a process of its own. If it fails or is cancelled, nothing is left.
   * @throws BackendUnavailableError, also `index_busy` while this server builds another one; InvalidArgumentError
   */
  async build(id: string, request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport> {
    if (this.isBuilding) throw runUnderWay();
    const { index, backends } = this.config;
    const graph = backends.graph === 'none' ? 'none' : 'sqlite';
    const settings = {
      ...index.overrides,
      PITH_SECTION_ENGINE: 'sqlite',
      PITH_GRAPH_ENGINE: graph,
      // What the database stores there is the index of the server.
      PITH_INDEX_STORE: 'file',
    };
    // Not awaited, so that no other build starts between the check and this one.
    makeFolder(this.folder, 0o700);
    try {
      return await this.processes.run({ file: this.fileOf(id), settings }, request, watch);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** Calls a function with an index, which stays open meanwhile. @throws BackendUnavailableError `corpora_busy` */
  async use<T>(id: string, work: (engines: CorpusEngines) => Promise<T>): Promise<T> {
    const corpus = this.opened(id);
    corpus.users++;
    const { threads } = corpus;
    const graph = this.config.backends.graph === 'none' ? null : makePort('graph', threads);
    try {
      return await work({ index: withModels(makePort('sections', threads), this.models), graph });
    } finally {
      corpus.users--;
      if (corpus.users === 0) corpus.onIdle?.();
    }
  }

  /** Stores an index that is complete in the database of all replicas, if there is one. */
  async share(space: WorkSpace, id: string): Promise<void> {
    await this.shared(space, id)?.store(() => undefined);
  }

  /** Gets an index that another replica has stored; goes on if its call ends. @returns false if there is none */
  fetch(space: WorkSpace, id: string): Promise<boolean> {
    const running = this.fetching.get(id);
    if (running) return running;
    // One at a time: each has a connection to the database of its own.
    const fetched = outsideOfCalls(() =>
      this.inTurn(async () => {
        await this.shared(space, id)?.fetch().catch(unlessBusy);
        return existsSync(this.fileOf(id));
      }),
    );
    const known = fetched.finally(() => this.fetching.delete(id));
    this.fetching.set(id, known);
    return known;
  }

  /** Ids of indexes on the disk that were last written before a time, in milliseconds since the epoch. */
  async writtenBefore(time: number): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.folder).catch(() => [])) {
      const id = name.endsWith(END) ? name.slice(0, -END.length) : '';
      const facts = ID.test(id) ? await stat(join(this.folder, name)).catch(() => null) : null;
      if (facts && facts.mtimeMs < time) found.push(id);
    }
    return found.sort();
  }

  /** Removes indexes without a name, which killed processes and other servers left. No build takes longer than a call may. */
  async sweep(isNamed: (id: string) => Promise<boolean>, now: number): Promise<void> {
    const left = [
      ...(await this.writtenBefore(now - RUN_MS)),
      ...(await this.unnamedBefore(now - NAMING_MS, now)),
    ];
    for (const id of left) if (!(await isNamed(id))) await this.remove(id);
  }

  /**
   * Ids of indexes in the database that had no name at a sweep of this server before a time, and have none now. A server
   * that restarts or seldom sweeps leaves them longer: it remembers sweeps in memory only.
   */
  private async unnamedBefore(time: number, now: number): Promise<string[]> {
    const ids = (await this.stored?.unnamedCorpora()) ?? [];
    this.unnamed = new Map(ids.map((id) => [id, this.unnamed.get(id) ?? now]));
    return ids.filter((id) => (this.unnamed.get(id) ?? now) < time);
  }

  async remove(id: string): Promise<void> {
    const corpus = this.open.get(id);
    this.open.delete(id);
    if (corpus && corpus.users > 0) await new Promise<void>((resolve) => (corpus.onIdle = resolve));
    await corpus?.threads.close();
    const names = await readdir(this.folder).catch(() => []);
    const own = names.filter((name) => name.startsWith(`${id}.`));
    // What can't be removed now costs space only.
    await this.stored?.remove(storedName(id)).catch(() => undefined);
    for (const name of own) await rm(join(this.folder, name), { force: true }).catch(() => undefined);
  }

  async close(): Promise<void> {
    const threads = [...this.open.values()].map((corpus) => corpus.threads.close());
    await Promise.all([this.processes.close(), this.stored?.close(), ...threads]);
  }

  private shared(space: WorkSpace, id: string): SharedIndex | null {
    return this.stored && new SharedIndex(this.fileOf(id), { ...space, name: storedName(id) }, this.stored);
  }

  private fileOf(id: string): string {
    if (!ID.test(id)) throw new Error(`not an id of a corpus: ${id}`);
    return join(this.folder, `${id}${END}`);
  }

  private opened(id: string): OpenCorpus {
    const known = this.open.get(id);
    this.open.delete(id);
    const corpus = known ?? { threads: this.start(id), users: 0 };
    this.open.set(id, corpus);
    return corpus;
  }

  /** @throws BackendUnavailableError `corpora_busy` */
  private start(id: string): ReaderThreads {
    if (this.open.size >= MAX_OPEN) {
      const [idle] = [...this.open].find(([, { users }]) => users === 0) ?? [];
      if (idle === undefined) throw corporaBusy(MAX_OPEN);
      const threads = this.open.get(idle)?.threads;
      this.open.delete(idle);
      // Nobody waits for it, and its thread ends in any case.
      threads?.close().catch(() => undefined);
    }
    const { profile } = embedderFor(this.config, this.models.model);
    return new ReaderThreads(this.fileOf(id), profile, null, 1);
  }
}
