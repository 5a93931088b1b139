import type { Database } from './driver.js';

export type Row = Readonly<Record<string, unknown>>;

/** A text column; empty for NULL. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const bytesOrNull = (value: unknown): Uint8Array | null =>
  value instanceof Uint8Array ? value : null;

/** Parses a column with JSON. @throws Error with SQLite's message, because that of `JSON.parse` shows the text */
export function storedJson(value: unknown): unknown {
  try {
    return JSON.parse(text(value));
  } catch {
    throw new Error('malformed JSON');
  }
}

/** Counts rows. @param from  a table, with a condition if needed; never user input */
export function countIn(database: Database, from: string): number {
  return Number(database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n']);
}
