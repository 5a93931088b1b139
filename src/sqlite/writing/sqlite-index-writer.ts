import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import type { IndexedDocument, Remark } from '../../core/indexed-document.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import {
  type IndexSettings,
  IndexWriter,
  type OnStep,
  type PublishReport,
  type SeenFile,
  type WriterState,
} from '../../core/ports/index-writer.port.js';
import type { StemMemo } from '../../text/terms/search-terms.js';
import { countIn, type Database, storedJson } from '../driver.js';
import { inTransaction } from '../in-transaction.js';
import {
  indexDamaged,
  isBusy,
  isDamaged,
  messageOf,
  notAnIndex,
  openForReading,
  openForWriting,
  ownerOf,
  statIndex,
  withDamageExplained,
  WRITER_WAIT_MS,
} from '../open-database.js';
import { fileIdentity, STAGE_RUN_TABLE, STAGE_TABLES, STAGE_VERSION } from '../schema.js';
import { publishStaged, readIndexMeta } from './publish-staged.js';
import { stageDocuments } from './stage-documents.js';

/** Large enough for the trees that receive rows in random order (mentions, ids, links); SQLite's default is 2 MB. */
const CACHE_KB = 32_768;

/** Maximum time to wait until the log can be shortened; a long log does no harm. */
const CHECKPOINT_WAIT_MS = 1_000;

const NOTHING_PUBLISHED: WriterState = {
  ...{ root: null, rebuildReason: null },
  ...{ published: new Map(), replaced: new Map(), staged: new Map(), seen: new Map() },
};

/** Writes the index file. Documents are staged in `<file>.staging`, whose lock also excludes a second writer. */
export class SqliteIndexWriter extends IndexWriter {
  private database: Database | null = null;
  private settings: IndexSettings | null = null;
  private rebuild = false;
  private readonly memo: StemMemo = new Map();

  constructor(
    private readonly file: string,
    private readonly embedder: Embedder,
    private readonly now: () => number,
    private readonly newId: () => string = randomUUID,
  ) {
    super();
  }

  async begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState> {
    const database = this.openBoth();
    try {
      return this.stateOf(database, settings, rebuild);
    } catch (error) {
      throw withDamageExplained(this.file, error);
    }
  }

  async peek(settings: IndexSettings): Promise<WriterState> {
    if (!statIndex(this.file)) return NOTHING_PUBLISHED;
    const { database } = openForReading(this.file);
    try {
      return this.publishedState(database, settings, false);
    } catch (error) {
      throw withDamageExplained(this.file, error);
    } finally {
      database.close();
    }
  }

  private publishedState(database: Database, settings: IndexSettings, rebuild: boolean): WriterState {
    if (ownerOf(database) === 'other') throw notAnIndex(this.file, 'the database belongs to another program');
    const meta = readIndexMeta(database);
    const identity = fileIdentity(this.embedder.profile);
    if (!rebuild) refuseOtherProject(meta, settings, this.file);
    const rebuildReason = reasonToRebuild(meta, { isAsked: rebuild, identity });
    const state = { ...NOTHING_PUBLISHED, root: meta.get('root') ?? null, rebuildReason };
    if (meta.size === 0) return state;
    const published = readHashes(database, 'main');
    if (rebuildReason !== null) return { ...state, replaced: published };
    return { ...state, published, seen: readSeen(database) };
  }

  private stateOf(database: Database, settings: IndexSettings, rebuild: boolean): WriterState {
    const state = this.publishedState(database, settings, rebuild);
    this.settings = settings;
    this.rebuild = state.rebuildReason !== null || readIndexMeta(database).size === 0;
    const identity = fileIdentity(this.embedder.profile);
    const run = JSON.stringify([STAGE_VERSION, identity, settings.projectId, settings.environment]);
    return { ...state, staged: this.resumeStage(database, run) };
  }

  async stage(documents: readonly IndexedDocument[]): Promise<void> {
    stageDocuments(this.opened(), documents, this.memo);
  }

  async publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport> {
    const database = this.opened();
    if (!this.settings) throw new Error('publish before begin');
    const report = await publishStaged(database, {
      present,
      onStep: onStep ?? (() => undefined),
      settings: this.settings,
      rebuild: this.rebuild,
      indexedAt: new Date(this.now()).toISOString(),
      newId: this.newId,
      embedder: this.embedder,
    });
    this.rebuild = false;
    // While imports or readers of an old snapshot use the log, it stays long; the next publish shortens it.
    database.exec(`PRAGMA busy_timeout = ${CHECKPOINT_WAIT_MS}; PRAGMA main.wal_checkpoint(TRUNCATE);
      PRAGMA busy_timeout = ${WRITER_WAIT_MS}`);
    return report;
  }

  async keepSeen(seen: ReadonlyMap<string, SeenFile>): Promise<void> {
    const database = this.opened();
    const before = readSeen(database);
    const put = database.prepare('INSERT OR REPLACE INTO main.seen_file VALUES (?, ?, ?, ?)');
    const forget = database.prepare('DELETE FROM main.seen_file WHERE path = ?');
    const keep = (): void => {
      for (const [path, { stamp, hash, remarks }] of seen)
        if (before.get(path)?.stamp !== stamp || before.get(path)?.hash !== hash)
          put.run(path, stamp, hash, JSON.stringify(remarks));
      for (const path of before.keys()) if (!seen.has(path)) forget.run(path);
    };
    try {
      inTransaction(database, keep);
    } catch {
      // The index is published. The next run only takes longer, because it reads the files.
    }
  }

  async close(): Promise<void> {
    if (!this.database) return;
    const isDone = countStaged(this.database) === 0;
    // Statements that are not yet garbage-collected keep the connection open after close; this releases the lock now.
    this.database.exec('PRAGMA stage.locking_mode = NORMAL');
    countStaged(this.database);
    const isEmpty = ownerOf(this.database) === 'nobody' && isAlone(this.database);
    this.database.close();
    this.database = null;
    if (isEmpty) for (const end of ['', '-wal', '-shm']) rmSync(`${this.file}${end}`, { force: true });
    if (isDone) for (const end of ['', '-journal']) rmSync(`${this.file}.staging${end}`, { force: true });
  }

  private opened(): Database {
    if (!this.database) throw new Error('the index writer is not open');
    return this.database;
  }

  protected openIndex(): Database {
    return openForWriting(this.file);
  }

  private openBoth(): Database {
    if (this.database) return this.database;
    try {
      makeFolder(dirname(this.file));
      const before = statIndex(this.file)?.ino;
      const database = this.openIndex();
      this.database = database;
      const opened = before ?? statIndex(this.file)?.ino;
      // Do not wait for another writer: it removes the staging file when it ends.
      database.exec('PRAGMA busy_timeout = 0');
      database.prepare('ATTACH DATABASE ? AS stage').run(`${this.file}.staging`);
      // Tables and sorted rows of a run grow with the documents, so they are in files; `/tmp` may be in memory too.
      database.exec(`PRAGMA main.cache_size = -${CACHE_KB}; PRAGMA temp_store = FILE;
        PRAGMA temp_store_directory = '${dirname(resolve(this.file)).replaceAll("'", "''")}'`);
      // The staging file survives the process but not a power failure. The exclusive lock ends with the process.
      database.exec(`PRAGMA stage.locking_mode = EXCLUSIVE; PRAGMA stage.journal_mode = TRUNCATE;
        PRAGMA stage.synchronous = OFF; PRAGMA stage.secure_delete = OFF`);
      database.exec(STAGE_RUN_TABLE);
      database.exec("INSERT OR REPLACE INTO stage.run VALUES ('holder', '')");
      if (statIndex(this.file)?.ino !== opened) throw new Error('database is locked: it was just replaced');
      database.exec(`PRAGMA busy_timeout = ${WRITER_WAIT_MS}`);
      return database;
    } catch (error) {
      this.database?.close();
      this.database = null;
      throw cannotWrite(this.file, error);
    }
  }

  private resumeStage(database: Database, run: string): Map<string, string> {
    const row = database.prepare("SELECT value FROM stage.run WHERE key = 'identity'").get();
    if (row?.['value'] === run) return readHashes(database, 'stage');
    // Staged by another version, project or environment, so it is discarded.
    database.exec(`BEGIN; ${STAGE_TABLES}`);
    database.prepare("INSERT OR REPLACE INTO stage.run VALUES ('identity', ?)").run(run);
    database.exec('COMMIT');
    return new Map();
  }
}

/** True if no other connection has the file open: SQLite leaves WAL mode only in this case. */
function isAlone(database: Database): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0');
    return database.prepare('PRAGMA main.journal_mode = DELETE').get()?.['journal_mode'] === 'delete';
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function countStaged(database: Database): number {
  const isMade = database.prepare("SELECT 1 FROM stage.sqlite_schema WHERE name = 'document'").get();
  return isMade ? countIn(database, 'stage.document') : 0;
}

function readHashes(database: Database, schema: 'main' | 'stage'): Map<string, string> {
  const rows = database.prepare(`SELECT path, hash FROM ${schema}.document`).all();
  return new Map(rows.map((row) => [String(row['path']), String(row['hash'])]));
}

function readSeen(database: Database): Map<string, SeenFile> {
  const rows = database.prepare('SELECT path, stamp, hash, remarks FROM main.seen_file').all();
  return new Map(
    rows.map((row) => {
      const remarks = storedJson(row['remarks']) as Remark[];
      return [String(row['path']), { stamp: String(row['stamp']), hash: String(row['hash']), remarks }];
    }),
  );
}

function reasonToRebuild(
  meta: ReadonlyMap<string, string>,
  { isAsked, identity }: { readonly isAsked: boolean; readonly identity: string },
): string | null {
  if (meta.size === 0) return null;
  if (isAsked) return '--rebuild was given';
  return meta.get('identity') === identity
    ? null
    : 'it was built by another version of Pith or with another PITH_EMBEDDER, or the encoder was installed or removed';
}

function refuseOtherProject(meta: ReadonlyMap<string, string>, settings: IndexSettings, file: string): void {
  const project = meta.get('project_id') ?? settings.projectId;
  const environment = meta.get('environment') ?? settings.environment;
  if (project === settings.projectId && environment === settings.environment) return;
  throw new InvalidArgumentError(
    `${file} holds project "${project}" (${environment}), not "${settings.projectId}" (${settings.environment}).`,
    {
      serverFile: file,
      reason: 'project_mismatch',
      hint: `Use another index file with --index FILE, give --project ${project} --environment ${environment} if this is the same project, or replace the index with --rebuild --accept-removal.`,
    },
  );
}

function cannotWrite(file: string, error: unknown): BackendUnavailableError {
  const text = messageOf(error);
  if (isBusy(error)) {
    return new BackendUnavailableError(`Another pith index is writing ${file}.`, {
      serverFile: file,
      reason: 'index_busy',
      hint: 'Wait until it has finished. Searches still work meanwhile.',
      cause: error,
    });
  }
  if (isDamaged(error)) return indexDamaged(file, error);
  return new BackendUnavailableError(`The index at ${file} can't be written: ${text}.`, {
    serverFile: file,
    reason: 'index_read_only',
    hint: 'Choose a writable path with --index FILE, and check that the disk is not full.',
    cause: error,
  });
}
