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
  /** True for a file that never changes, so that its writer need not wait. */
  readonly isFinished?: boolean;
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

/** Opens a store at its present state. */
function pin({ file }: KeptStore): Database {
  const reader = openDatabase(file, { readOnly: true, timeout: LOCK_MS });
  reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  return reader;
}

/** Opens all stores at their state of one moment, for which their writers wait: some milliseconds. */
function pinTogether(stores: readonly KeptStore[]): readonly Database[] {
  const locks: Database[] = [];
  try {
    for (const store of stores) if (store.isFinished !== true) locks.push(lock(store));
    return stores.map(pin);
  } finally {
    for (const writer of locks) writer.close();
  }
}

/**
 * Copies the stores that exist, while servers write to them. All copies are of one moment, because a change of a run and
 * its line in the ledger belong together.
 * @param folder  the copies get the names of the stores there
 * @returns the stores that were copied
 * @throws BackendUnavailableError `store_in_use`
 */
export async function copyStores(
  stores: readonly KeptStore[],
  folder: string,
): Promise<readonly KeptStore[]> {
  const present = stores.filter(({ file }) => existsSync(file));
  let readers: readonly Database[] = [];
  try {
    readers = pinTogether(present);
    for (const [at, store] of present.entries()) {
      const copy = join(folder, store.name);
      const reader = readers[at];
      if (reader) await copyDatabase(reader, copy);
      checkCopy(copy, store);
    }
  } catch (error) {
    throw isBusy(error) ? inUse('a store', error) : error;
  } finally {
    for (const reader of readers) reader.close();
  }
  return present;
}

/** Checks that a copy is whole, and that this version can read it. @throws InvalidArgumentError */
export function checkCopy(copy: string, { name, kind }: Pick<KeptStore, 'name' | 'kind'>): void {
  const database = openUnchanged(copy, name);
  const pragma = (key: string): unknown => Object.values(database.prepare(`PRAGMA ${key}`).get() ?? {})[0];
  try {
    if (pragma('application_id') !== kind.id) throw damaged(name, 'it is another kind of file');
    const version = Number(pragma('user_version'));
    if (version > kind.version) throw newer(`${name} has the format version ${version}`);
    const found = pragma('integrity_check(1)');
    if (found !== 'ok') throw damaged(name, String(found));
  } catch (error) {
    throw error instanceof InvalidArgumentError ? error : damaged(name, messageOf(error));
  } finally {
    database.close();
  }
}

/** Opens a copy without making files beside it. @throws InvalidArgumentError `backup_damaged` */
function openUnchanged(copy: string, name: string): Database {
  try {
    return openImmutable(copy);
  } catch (error) {
    throw damaged(name, messageOf(error));
  }
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
