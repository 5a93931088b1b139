import { statSync } from 'node:fs';
import { nullIfLost } from '../core/errors.js';
import type { EmbedderProfile } from '../core/ports/embedder.port.js';
import type { IndexStamp } from '../core/ports/index-facts.js';
import { type Scope, type SeenScope, seenScope } from '../core/scope.js';
import { type Database, type Statement, storedJson } from './driver.js';
import {
  indexBusy,
  indexFileIncompatible,
  indexFileMissing,
  isBusy,
  notAnIndex,
  openForReading,
  type OpenIndex,
  ownerOf,
  statIndex,
  withDamageExplained,
} from './open-database.js';
import { fileIdentity } from './schema.js';

/** Maximum number of cached statements: their text depends on the number of doc tags and repositories in a scope. */
const MAX_STATEMENTS = 500;

export interface Meta extends IndexStamp {
  readonly sectionCount: number;
  /** The embedder of the index. */
  readonly profile: EmbedderProfile;
}

/**
 * Names a generation. A file that was restored from a backup repeats the number, so the time of the run is in it.
 * @param indexedAt  ISO 8601
 */
export const generationName = (indexId: string, number: number, indexedAt: string): string =>
  `${indexId}:${number}:${Date.parse(indexedAt).toString(36)}`;

/** Tests if an index can be read. A model with unknown dimensions (it may be down) accepts those of the index. */
export function identityTest({ dimensions, recalls }: EmbedderProfile, identity: string) {
  const isUnknown = dimensions === 0 && recalls;
  return (stored: string | undefined): boolean =>
    (isUnknown ? stored?.replace(/"dimensions":\d+/, '"dimensions":0') : stored) === identity;
}

/** One index file, open for reading. Sees every publish and reopens the file when it is replaced. */
export class IndexFile {
  // The database is kept in a field: prepared statements fail after their database is garbage-collected.
  private open: OpenIndex | null = null;
  private openedAs = '';
  private readonly statements = new Map<string, Statement>();

  private readonly embedders;

  constructor(
    private readonly path: string,
    profile: EmbedderProfile,
  ) {
    const profiles = [profile, ...(profile.also ? [profile.also] : [])];
    this.embedders = profiles.map((each) => ({
      profile: each,
      fits: identityTest(each, fileIdentity(each)),
    }));
  }

  bytes(): number {
    return statSync(this.path).size;
  }

  /** One read transaction. @param scope  the index must belong to its project and environment; null accepts any */
  read<T>(scope: Scope | null, work: (database: Database, meta: Meta, seen: SeenScope) => T): T {
    return this.readAnything((database) => {
      const meta = this.readMeta(database);
      if (scope) this.checkProject(meta, scope);
      const { projectId, environment } = meta;
      const seen = scope ?? { projectId, environment, docTags: null, repositories: null };
      return work(database, meta, seenScope(seen, meta.groups));
    });
  }

  /** One read of any Pith file, even without an index. A failure closes the connection; the next call starts afresh. */
  readAnything<T>(work: (database: Database, path: string) => T): T {
    const database = this.current();
    try {
      database.exec('BEGIN');
      const answer = work(database, this.path);
      database.exec('COMMIT');
      return answer;
    } catch (error) {
      this.close();
      throw this.explained(error);
    }
  }

  /** One read transaction for asynchronous work; nothing else may read here meanwhile. */
  async readSlowly<T>(work: (database: Database, meta: Meta) => Promise<T>): Promise<T> {
    const database = this.current();
    try {
      database.exec('BEGIN');
      return await work(database, this.readMeta(database));
    } catch (error) {
      throw this.explained(error);
    } finally {
      this.close();
    }
  }

  private explained(error: unknown): unknown {
    return isBusy(error) ? indexBusy(this.path, error) : withDamageExplained(this.path, error);
  }

  /** The open database; reopened if another file is now at its path. */
  private current(): Database {
    const seen = statIndex(this.path);
    if (!seen) {
      this.close();
      throw indexFileMissing(this.path);
    }
    const place = `${seen.dev}:${seen.ino}`;
    const identity = this.open?.isImmutable ? `${place}:${seen.mtimeMs}:${seen.size}` : place;
    if (this.open && this.openedAs === identity) return this.open.database;
    this.close();
    const open = openForReading(this.path);
    this.open = { ...open, database: this.preparingOnce(open.database) };
    this.openedAs = this.open.isImmutable ? `${place}:${seen.mtimeMs}:${seen.size}` : place;
    return this.open.database;
  }

  close(): void {
    this.statements.clear();
    const database = this.open?.database;
    this.open = null;
    try {
      // Statements not yet garbage-collected would keep the snapshot, and a writer could not truncate the log.
      if (database?.isTransaction) database.exec('ROLLBACK');
    } finally {
      database?.close();
    }
  }

  /** A database that prepares each statement once: preparing takes as long as running most of them. */
  private preparingOnce(database: Database): Database {
    const { statements } = this;
    return {
      prepare(sql) {
        const known = statements.get(sql);
        if (known) return known;
        if (statements.size >= MAX_STATEMENTS) statements.clear();
        const statement = database.prepare(sql);
        statements.set(sql, statement);
        return statement;
      },
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      get isTransaction() {
        return database.isTransaction;
      },
    };
  }

  private readMeta(database: Database): Meta {
    const { path: file } = this;
    const owner = ownerOf(database);
    if (owner === 'nobody') throw indexFileMissing(file);
    if (owner === 'other') throw notAnIndex(file, 'the database belongs to another program');
    // Memory may have been imported before anything was indexed.
    if (!database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'meta'").get())
      throw indexFileMissing(file);
    // The corpus declaration may be long and is read separately.
    const rows = database.prepare("SELECT key, value FROM meta WHERE key <> 'corpus'").all();
    const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
    const embedder = this.embedders.find(({ fits }) => fits(meta.get('identity')));
    if (!embedder)
      throw indexFileIncompatible(file, 'another version of Pith built it, or with another PITH_EMBEDDER');
    const indexedAt = meta.get('indexed_at') ?? '';
    const untrusted = namesIn(meta.get('untrusted'));
    const groups = namesIn(meta.get('groups'));
    return {
      generation: generationName(meta.get('index_id') ?? '', Number(meta.get('generation')), indexedAt),
      projectId: meta.get('project_id') ?? '',
      environment: meta.get('environment') ?? '',
      indexedAt,
      sectionCount: Number(meta.get('sections') ?? 0),
      profile: embedder.profile,
      ...(untrusted.length > 0 ? { untrusted } : {}),
      ...(groups.length > 0 ? { groups } : {}),
    };
  }

  /** An index belongs to one project and environment; other scopes are rejected. */
  private checkProject(meta: Meta, { projectId, environment }: Scope): void {
    if (meta.projectId === projectId && meta.environment === environment) return;
    throw indexFileIncompatible(this.path, 'it holds another project or environment now');
  }
}

/** Opens an index file for one read. @throws BackendUnavailableError `index_missing` or `index_incompatible` */
export function readIndexOnce<T>(
  path: string,
  profile: EmbedderProfile,
  work: (database: Database, meta: Meta) => T,
): T {
  const file = new IndexFile(path, profile);
  try {
    return file.read(null, work);
  } finally {
    file.close();
  }
}

/** The project and environment of an index. */
export type IndexOwner = Pick<IndexStamp, 'projectId' | 'environment'>;

/** Owner of an index; null if the index can't be read. */
export function readOwner(path: string, profile: EmbedderProfile): IndexOwner | null {
  try {
    return readIndexOnce(path, profile, (_, { projectId, environment }) => ({ projectId, environment }));
  } catch (error) {
    return nullIfLost(error);
  }
}

/** True if a model has made the vectors of an index; false if the index can't be read. */
export function hasModelVectors(path: string, profile: EmbedderProfile): boolean {
  try {
    return readIndexOnce(path, profile, (_, meta) => meta.profile.recalls);
  } catch (error) {
    return nullIfLost(error) ?? false;
  }
}

/** The source of an index, as `readSourceLine` reads it. @throws BackendUnavailableError `index_missing` or `index_incompatible` */
export function readRoot(path: string, profile: EmbedderProfile): string | null {
  return readIndexOnce(path, profile, (database) => {
    const row = database.prepare("SELECT value FROM meta WHERE key = 'root'").get();
    return row ? String(row['value']) : null;
  });
}

function namesIn(stored: string | undefined): string[] {
  const names = storedJson(stored ?? '[]');
  return Array.isArray(names) ? names.map(String) : [];
}
