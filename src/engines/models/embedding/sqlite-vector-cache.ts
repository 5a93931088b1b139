import { dirname } from 'node:path';
import { makeFolder } from '../../../config/make-folder.js';
import { bytesOrNull, countIn, type Database, openDatabase } from '../../../sqlite/driver.js';
import { inTransaction } from '../../../sqlite/in-transaction.js';
import { VectorCache } from './modelled-index-writer.js';

/** Maximum number of entries; the least recently used are removed. 200,000 vectors of 1,024 components take 220 MB. */
const MAX_VECTORS = 200_000;
/** Time to wait for another run, which locks the file only for milliseconds. */
const WAIT_MS = 10_000;

const TABLE =
  'CREATE TABLE IF NOT EXISTS vector (key TEXT PRIMARY KEY, run INTEGER NOT NULL, packed BLOB NOT NULL) WITHOUT ROWID';

/** Caches vectors in a separate file next to the index, which survives a rebuild. The file is safe to remove. */
export class SqliteVectorCache extends VectorCache {
  private database: Database | null = null;
  /** Number of the current run; entries that recent runs did not use are removed first. */
  private run = 0;

  constructor(
    private readonly file: string,
    private readonly most: number = MAX_VECTORS,
  ) {
    super();
  }

  read(keys: readonly string[]): ReadonlyMap<string, Uint8Array> {
    const database = this.opened();
    const read = database.prepare('SELECT packed FROM vector WHERE key = ?');
    const touch = database.prepare('UPDATE vector SET run = ? WHERE key = ? AND run < ?');
    const found = new Map<string, Uint8Array>();
    inTransaction(database, () => {
      for (const key of keys) {
        const packed = bytesOrNull(read.get(key)?.['packed']);
        if (!packed) continue;
        found.set(key, packed);
        touch.run(this.run, key, this.run);
      }
    });
    return found;
  }

  write(vectors: ReadonlyMap<string, Uint8Array>): void {
    const database = this.opened();
    const put = database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?, ?)');
    inTransaction(database, () => {
      for (const [key, packed] of vectors) put.run(key, this.run, packed);
    });
  }

  close(): void {
    if (!this.database) return;
    const count = countIn(this.database, 'vector');
    if (count > this.most) {
      this.database
        .prepare('DELETE FROM vector WHERE key IN (SELECT key FROM vector ORDER BY run, key LIMIT ?)')
        .run(count - this.most);
    }
    this.database.close();
    this.database = null;
  }

  private opened(): Database {
    if (this.database) return this.database;
    makeFolder(dirname(this.file));
    const database = openDatabase(this.file, { timeout: WAIT_MS });
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${TABLE}`);
    this.run = Number(database.prepare('SELECT max(run) AS run FROM vector').get()?.['run'] ?? 0) + 1;
    this.database = database;
    return database;
  }
}
