import { closeSync, copyFileSync, openSync, statSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/engines/sqlite/driver.js';

/** Copies an index and makes it one that another version of Pith built. */
export function copyOfAnotherVersion(index: string, copy: string): void {
  copyFileSync(index, copy);
  const database = openDatabase(copy);
  database.exec("UPDATE meta SET value = 'schema 999' WHERE key = 'identity'");
  database.close();
}

/** Copies an index and overwrites everything behind its header. */
export function damagedCopy(index: string, copy: string): void {
  copyFileSync(index, copy);
  const file = openSync(copy, 'r+');
  writeSync(file, Buffer.alloc(statSync(copy).size - 100, 0xff), 0, undefined, 100);
  closeSync(file);
}

/** A database of somebody else. */
export function foreignDatabase(file: string): void {
  const database = openDatabase(file);
  database.exec('CREATE TABLE invoice (id INTEGER PRIMARY KEY, amount REAL)');
  database.close();
}

/**
 * Takes an index for oneself, so that every reader has to wait.
 * @returns what gives it back
 */
export function holdIndex(file: string): () => void {
  const database = openDatabase(file);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value');
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}
