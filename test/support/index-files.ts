import { closeSync, copyFileSync, openSync, statSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/driver.js';

/** Copies an index and changes its version to that of another Pith version. */
export function copyOfAnotherVersion(index: string, copy: string): void {
  copyFileSync(index, copy);
  const database = openDatabase(copy);
  database.exec("UPDATE meta SET value = 'schema 999' WHERE key = 'identity'");
  database.close();
}

/** Copies an index and overwrites everything from an offset on. @param from  usually the end of the header */
export function damagedCopy(index: string, copy: string, from = 100): void {
  copyFileSync(index, copy);
  damage(copy, from);
}

/** Overwrites everything from an offset on. */
export function damage(index: string, from: number): void {
  const file = openSync(index, 'r+');
  writeSync(file, Buffer.alloc(statSync(index).size - from, 0xff), 0, undefined, from);
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
