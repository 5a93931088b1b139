import { closeSync, copyFileSync, openSync, statSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/engines/sqlite/driver.js';

/** Copies an index and changes its version to that of another Pith version. */
export function copyOfAnotherVersion(index: string, copy: string): void {
  copyFileSync(index, copy);
  const database = openDatabase(copy);
  database.exec("UPDATE meta SET value = 'schema 999' WHERE key = 'identity'");
  database.close();
}

/** Copies an index and overwrites everything after its header. */
export function damagedCopy(index: string, copy: string): void {
  copyFileSync(index, copy);
  const file = openSync(copy, 'r+');
  writeSync(file, Buffer.alloc(statSync(copy).size - 100, 0xff), 0, undefined, 100);
  closeSync(file);
}

/** A database of another program. */
export function foreignDatabase(file: string): void {
  const database = openDatabase(file);
  database.exec('CREATE TABLE invoice (id INTEGER PRIMARY KEY, amount REAL)');
  database.close();
}

/**
 * Locks an index exclusively, so that every reader has to wait.
 * @returns a function that releases the lock
 */
export function holdIndex(file: string): () => void {
  const database = openDatabase(file);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}
