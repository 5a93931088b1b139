import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { MEMORY_TABLES } from '../../core/ports/memory-store.port.js';
import { countIn, type Database, openDatabase } from '../driver.js';
import { transact } from '../in-transaction.js';
import { createMemory, readMemoryMeta, tableOf, writeMemoryMeta } from './memory-schema.js';

/** Time to wait for another process (ms). Short, because servers and index runs are to be stopped before a restore. */
const WAIT_MS = 200;
const TABLES = ['memory_meta', 'memory_space', ...MEMORY_TABLES.map((table) => `memory_${table}`)];

/** Number of rows of memory in an index file; 0 without a file. @throws the driver's error */
export function memoryRows(file: string): number {
  if (!existsSync(file)) return 0;
  const database = openDatabase(file, { readOnly: true, timeout: WAIT_MS });
  try {
    if (!readMemoryMeta(database, file)) return 0;
    return MEMORY_TABLES.reduce((rows, table) => rows + countIn(database, tableOf(table)), 0);
  } finally {
    database.close();
  }
}

/**
 * Copies the memory of an index file, in place of that of another one. Readers of the target see the old or the new one.
 * @param target  made if it is missing
 * @throws BackendUnavailableError `index_incompatible`, `memory_incompatible`; the driver's error
 */
export function copyMemory(source: string, target: string): void {
  const database = openDatabase(target, { timeout: WAIT_MS });
  try {
    const before = generationIn(database, target);
    // Read-only: its writer need not wait, nor is it waited for.
    const url = pathToFileURL(source);
    url.searchParams.set('mode', 'ro');
    database.prepare('ATTACH ? AS source').run(url.href);
    transact(database, () => {
      createMemory(database, () => '');
      for (const table of TABLES)
        database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM source.${table}`);
      // Readers that know the replaced memory notice the change, also if it has the same id.
      const generation = Math.max(before, generationIn(database, target)) + 1;
      writeMemoryMeta(database, { generation: String(generation) });
    });
  } finally {
    database.close();
  }
}

/** @returns 0 without memory */
const generationIn = (database: Database, file: string): number =>
  Number(readMemoryMeta(database, file)?.generation.split(':').at(-1) ?? 0);
