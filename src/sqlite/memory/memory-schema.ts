import { BackendUnavailableError } from '../../core/errors.js';
import { BUILT_IN_PROVIDER, MEMORY_TABLES, type MemoryTable } from '../../core/ports/memory-store.port.js';
import type { Database } from '../driver.js';
import { notAnIndex, ownerOf } from '../open-database.js';
import { APPLICATION_ID } from '../schema.js';

/** Increment when the memory tables change. Memory can't be rebuilt, so a new version must read the old. */
const MEMORY_SCHEMA_VERSION = '1';

/** Name of the SQL table. */
export const tableOf = (table: MemoryTable): string => `main.memory_${table}`;

export const byTable = <T>(make: (table: MemoryTable) => T): Record<MemoryTable, T> => ({
  thoughts: make('thoughts'),
  kg_entities: make('kg_entities'),
  kg_observations: make('kg_observations'),
});

/**
 * With the built-in embedder, `words` and `vector` are the two parts of a row's vector; with a model, `vector` is
 * packed; for an imported embedding, `vector` has floats.
 */
const columns = `row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, content_hash TEXT NOT NULL,
  origin TEXT, tags TEXT NOT NULL, is_private INTEGER NOT NULL, created_at TEXT NOT NULL,
  provider TEXT, model TEXT, dim INTEGER, vector BLOB, words BLOB, text TEXT NOT NULL`;

/** In the index file, but untouched by index runs, because it can't be rebuilt; so it has its own version. */
const CREATE = `
  CREATE TABLE IF NOT EXISTS main.memory_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS main.memory_space (bytes BLOB NOT NULL);
  ${MEMORY_TABLES.map((table) => `CREATE TABLE IF NOT EXISTS ${tableOf(table)} (${columns});`).join('\n')}`;

/** Metadata of memory. */
export interface MemoryMeta {
  readonly generation: string;
  /** Provider and model of the rows' embeddings. */
  readonly provider: string;
  /** The space in which rows are compared; null before any row was embedded. */
  readonly model: string | null;
  readonly dim: number;
  /** Rows that the latent part of the space was fitted on; 0 without one. */
  readonly fittedRows: number;
}

/** Metadata of a file without memory. */
export const NO_MEMORY: MemoryMeta = { generation: '', provider: '', model: null, dim: 0, fittedRows: 0 };

function incompatible(file: string, version: string): BackendUnavailableError {
  const hint = 'Use the version of Pith that wrote it, or a later one.';
  const message = `The memory in ${file} has version ${version}, which this Pith does not support.`;
  return new BackendUnavailableError(message, { reason: 'memory_incompatible', hint });
}

/**
 * Reads the metadata of memory; null if nothing was ever imported.
 * @throws BackendUnavailableError `index_incompatible` for a file of another program, `memory_incompatible`
 */
export function readMemoryMeta(database: Database, file: string): MemoryMeta | null {
  // Another program's database may have tables of these names.
  if (ownerOf(database) === 'other') throw notAnIndex(file, 'the database belongs to another program');
  const isMade = database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'memory_meta'").get();
  if (!isMade) return null;
  const rows = database.prepare('SELECT key, value FROM main.memory_meta').all();
  const meta = new Map(rows.map((row) => [String(row['key']), String(row['value'])]));
  const version = meta.get('schema_version') ?? '';
  if (version !== MEMORY_SCHEMA_VERSION) throw incompatible(file, version);
  return {
    generation: `${meta.get('memory_id')}:${meta.get('generation')}`,
    // Memory written before models were supported has no provider.
    provider: meta.get('provider') ?? BUILT_IN_PROVIDER,
    model: meta.get('model') ?? null,
    dim: Number(meta.get('dim') ?? 0),
    fittedRows: Number(meta.get('fitted_rows') ?? 0),
  };
}

/** Writes some entries of the metadata. */
export function writeMemoryMeta(database: Database, values: Readonly<Record<string, string>>): void {
  const put = database.prepare('INSERT OR REPLACE INTO main.memory_meta VALUES (?, ?)');
  for (const [key, value] of Object.entries(values)) put.run(key, value);
}

/** Creates missing tables and sets the application id. @param newId  permanent id of this memory */
export function createMemory(database: Database, newId: () => string): void {
  database.exec(`${CREATE} PRAGMA main.application_id = ${APPLICATION_ID}`);
  const isKnown = database.prepare("SELECT 1 FROM main.memory_meta WHERE key = 'memory_id'").get();
  if (isKnown) return;
  writeMemoryMeta(database, { schema_version: MEMORY_SCHEMA_VERSION, memory_id: newId(), generation: '0' });
}

/** Increments the generation, by which readers notice that memory has changed. */
export function raiseMemoryGeneration(database: Database): void {
  database.exec("UPDATE main.memory_meta SET value = value + 1 WHERE key = 'generation'");
}
