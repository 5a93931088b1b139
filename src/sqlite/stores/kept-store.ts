import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BackendUnavailableError, InvalidArgumentError } from '../../core/errors.js';
import { copyDatabase, type Database, openDatabase } from '../driver.js';
import { isBusy, isDamaged, messageOf, openImmutable } from '../open-database.js';
import type { StoreKind } from './store-failures.js';

/** A file of SQLite that `pith backup` copies. */
export interface KeptStore {
  /** Its name in archives, such as `ledger.sqlite`. */
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly kind: Pick<StoreKind, 'id' | 'version'>;
  /** Files that a pinned state of this one names. */
  readonly named?: (pinned: Database) => readonly KeptStore[];
  /** For a file that no longer changes once this is true. It is not locked, and left out until then. */
  readonly isComplete?: (pinned: Database) => boolean;
  /** A further check of a copy. @throws PithError */
  readonly check?: (copy: string) => Promise<void>;
}

/** How long a copy waits for a writer (ms). Writers wait as long. */
const LOCK_MS = 5_000;

/** Keeps the writers of a store waiting until the connection is closed. */
function lock({ file }: KeptStore): Database {
  const writer = openDatabase(file, { timeout: LOCK_MS });
  writer.exec('BEGIN IMMEDIATE');
  return writer;
}

interface PinnedStore {
  readonly store: KeptStore;
  readonly reader: Database;
}

/** Opens a store at its present state; null if it has been removed. */
function pin(store: KeptStore): PinnedStore | null {
  if (!existsSync(store.file)) return null;
  const reader = openDatabase(store.file, { readOnly: true, timeout: LOCK_MS });
  try {
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    return { store, reader };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/**
 * Opens stores, and those that they name, at their state of one moment, for which their writers wait: some milliseconds.
 * @param pinned  gets each as soon as it is open, so that the caller can close it
 */
function pinTogether(stores: readonly KeptStore[], pinned: PinnedStore[]): void {
  const locks: Database[] = [];
  const add = (store: KeptStore): void => {
    const found = explained(store, () => pin(store));
    if (found) pinned.push(found);
  };
  try {
    for (const store of stores) if (!store.isComplete) locks.push(explained(store, () => lock(store)));
    stores.forEach(add);
    for (const { store, reader } of [...pinned]) store.named?.(reader).forEach(add);
  } finally {
    for (const writer of locks) writer.close();
  }
}

function explained<T>(store: KeptStore, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw isDamaged(error) ? notSaved(store, messageOf(error), error) : error;
  }
}

/**
 * Copies the stores that exist, while servers write to them. All copies are of one moment, because a change of a run and
 * its line in the ledger belong together.
 * @param folder  the copies get the names of the stores there
 * @returns the stores that were copied
 * @throws BackendUnavailableError `store_in_use`, `store_damaged`
 */
export async function copyStores(
  stores: readonly KeptStore[],
  folder: string,
): Promise<readonly KeptStore[]> {
  const pinned: PinnedStore[] = [];
  try {
    pinTogether(
      stores.filter(({ file }) => existsSync(file)),
      pinned,
    );
    const complete = pinned.filter(({ store, reader }) => store.isComplete?.(reader) ?? true);
    for (const { store, reader } of complete) {
      const copy = join(folder, store.name);
      await copyDatabase(reader, copy);
      const problem = findProblem(copy, store.kind);
      if (problem) throw notSaved(store, problem.why);
    }
    return complete.map(({ store }) => store);
  } catch (error) {
    throw isBusy(error) ? inUse('a store', error) : error;
  } finally {
    for (const { reader } of pinned) unpin(reader);
  }
}

function unpin(reader: Database): void {
  // Statements that are not yet collected would keep the snapshot.
  if (reader.isTransaction) reader.exec('ROLLBACK');
  reader.close();
}

interface Problem {
  readonly isNewer: boolean;
  readonly why: string;
}

/** Why this version can't use a copy; null if it is whole. */
function findProblem(copy: string, kind: KeptStore['kind']): Problem | null {
  let database: Database | null = null;
  const damage = (why: string): Problem => ({ isNewer: false, why });
  try {
    const open = (database = openImmutable(copy));
    const pragma = (key: string): unknown => Object.values(open.prepare(`PRAGMA ${key}`).get() ?? {})[0];
    if (pragma('application_id') !== kind.id) return damage('it is another kind of file');
    const version = Number(pragma('user_version'));
    if (version > kind.version) return { isNewer: true, why: `it has the format version ${version}` };
    const found = pragma('integrity_check(1)');
    return found === 'ok' ? null : damage(String(found));
  } catch (error) {
    return damage(messageOf(error));
  } finally {
    database?.close();
  }
}

/** Checks that a copy is whole, and that this version can read it. @throws InvalidArgumentError */
export function checkCopy(copy: string, { name, kind }: Pick<KeptStore, 'name' | 'kind'>): void {
  const problem = findProblem(copy, kind);
  if (problem) throw problem.isNewer ? newer(`${name}: ${problem.why}`) : damaged(name, problem.why);
}

/** Ends the use of a store that is to be replaced, which may be damaged. @throws BackendUnavailableError `store_in_use` while a server has it open */
export function releaseStore(file: string): void {
  if (!existsSync(file)) return;
  const database = openDatabase(file);
  try {
    // Leaving this mode needs the last connection, and removes the log.
    database.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isDamaged(error)) throw isBusy(error) ? inUse(file, error) : error;
  } finally {
    database.close();
  }
}

export const inUse = (what: string, cause: unknown): BackendUnavailableError =>
  new BackendUnavailableError(`A server has ${what} open.`, {
    reason: 'store_in_use',
    hint: 'Stop all servers and commands of this index, then run this again.',
    cause,
  });

const notSaved = ({ file }: KeptStore, why: string, cause?: unknown): BackendUnavailableError =>
  new BackendUnavailableError(`${file} can't be saved: ${why}. No backup was made.`, {
    serverFile: file,
    reason: 'store_damaged',
    hint: 'Restore it from an earlier backup with pith restore --replace, or move it away, then run this again.',
    cause,
  });

export const damaged = (name: string, why: string): InvalidArgumentError =>
  new InvalidArgumentError(`${name} of the backup is damaged: ${why}. Nothing was restored.`, {
    reason: 'backup_damaged',
    hint: 'Use another backup.',
  });

export const newer = (why: string): InvalidArgumentError =>
  new InvalidArgumentError(`A later version of Pith made this backup: ${why}. Nothing was restored.`, {
    reason: 'backup_newer',
    hint: 'Restore it with that version, or a later one.',
  });
