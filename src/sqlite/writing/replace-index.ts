import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../config/make-folder.js';
import { copyDatabase, openDatabase } from '../driver.js';
import type { IndexOwner } from '../index-file.js';
import { readMemoryMeta } from '../memory/memory-schema.js';
import { isBusy } from '../open-database.js';
import { readIndexMeta } from './publish-staged.js';

const logBytes = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Readers of other machines have no use for what an index run notes about the files of its machine. */
const FORGET_FILES = 'PRAGMA secure_delete = ON; DELETE FROM seen_file';

/**
 * Copies an index file as readers see it, page by page, so that two copies differ only where the index does.
 * @param draft  gets no files beside it
 * @returns the owner of the index; null if the file has memory only
 */
export async function copyIndex(file: string, draft: string): Promise<IndexOwner | null> {
  // Memory may be private, whatever the rights of new files are.
  writeFileSync(draft, '', { mode: 0o600 });
  const source = openDatabase(file, { readOnly: true });
  try {
    await copyDatabase(source, draft);
  } finally {
    source.close();
  }
  const copy = openDatabase(draft);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const tables = copy.prepare("SELECT 1 FROM sqlite_schema WHERE name IN ('meta', 'seen_file')").all();
    if (tables.length < 2) return null;
    copy.exec(FORGET_FILES);
    const meta = readIndexMeta(copy);
    return { projectId: meta.get('project_id') ?? '', environment: meta.get('environment') ?? '' };
  } finally {
    copy.close();
  }
}

/** The generations of the index and of the memory in a file: two files with the same ones give the same answers. */
export function readGenerations(file: string): string {
  const database = openDatabase(file, { readOnly: true });
  try {
    const exists = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    const index = exists.get('meta') ? readIndexMeta(database) : new Map<string, string>();
    const memory = readMemoryMeta(database, file)?.generation ?? '';
    return JSON.stringify([...['index_id', 'generation', 'indexed_at'].map((key) => index.get(key)), memory]);
  } finally {
    database.close();
  }
}

/** Takes the lock of index writers. @returns what releases it; null while another process writes the index */
export function lockIndex(file: string): (() => void) | null {
  makeFolder(dirname(file));
  const staging = `${file}.staging`;
  const isNew = !existsSync(staging);
  const database = openDatabase(staging, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return () => {
    if (isNew) rmSync(staging, { force: true });
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Empties the log of a file, which SQLite would also read with another file. @returns false while a reader needs it */
function emptyLog(file: string): boolean {
  if (logBytes(file) === 0) return true;
  const database = openDatabase(file, { timeout: 0 });
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  return logBytes(file) === 0;
}

/**
 * Puts an index in the place of another one, under the lock of index writers. Readers see the old file until they notice the new one.
 * @param draft  a complete index without files beside it, in the same folder
 * @returns false, and nothing is changed, while a reader needs the log of the old file
 */
export function replaceIndex(file: string, draft: string): boolean {
  if (!emptyLog(file)) return false;
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  renameSync(draft, file);
  return true;
}
