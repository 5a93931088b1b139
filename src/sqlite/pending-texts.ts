import { createHash } from 'node:crypto';
import { bytesOrNull, countIn, type Database, openDatabase } from './driver.js';

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Texts that wait for a vector, and the finished vectors, in an unnamed temporary file. */
export class PendingTexts {
  private readonly database: Database = openDatabase('');

  constructor() {
    this.database.exec(
      'CREATE TABLE pending (key TEXT PRIMARY KEY, text TEXT NOT NULL, packed BLOB) WITHOUT ROWID; BEGIN',
    );
  }

  addAll(texts: Iterable<string>): void {
    const add = this.database.prepare('INSERT OR IGNORE INTO pending VALUES (?, ?, NULL)');
    for (const text of texts) add.run(keyOf(text), text);
  }

  /** Number of texts without a vector. */
  count(): number {
    return countIn(this.database, 'pending WHERE packed IS NULL');
  }

  /** Some texts without a vector; [] if there are none. */
  next(most: number): string[] {
    return this.database
      .prepare('SELECT text FROM pending WHERE packed IS NULL LIMIT ?')
      .all(most)
      .map(({ text }) => String(text));
  }

  put(text: string, packed: Uint8Array): void {
    this.database.prepare('UPDATE pending SET packed = ? WHERE key = ?').run(packed, keyOf(text));
  }

  /** Null if the text has no vector. */
  vectorOf(text: string): Uint8Array | null {
    const found = this.database.prepare('SELECT packed FROM pending WHERE key = ?').get(keyOf(text));
    return bytesOrNull(found?.['packed']);
  }

  close(): void {
    this.database.close();
  }
}
