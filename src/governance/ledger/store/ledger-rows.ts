import type { Database } from '../../../sqlite/driver.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import type { StoredHead, StoredLine } from '../ledger-chain.js';
import { type LedgerLine, type LedgerMark, type LedgerQuery, MAX_LEDGER_LINES } from '../ledger-line.js';
import type { UncheckedHead } from '../ledger-verifier.js';
import { failuresOf } from './ledger-failures.js';
import { type LedgerRow, LINE_COLUMNS, lineOf, uncheckedHead } from './ledger-row.js';

/** Reads the head without checking its signature. @returns null for an empty ledger */
export function readHead(database: Database): UncheckedHead | null {
  return uncheckedHead(database.prepare('SELECT seq, hash, signature, key_id FROM head').get());
}

/** Replaces the head. */
export function writeHead(database: Database, { seq, hash, signature, keyId }: StoredHead): void {
  database
    .prepare('INSERT OR REPLACE INTO head (id, seq, hash, signature, key_id) VALUES (1, ?, ?, ?, ?)')
    .run(seq, hash, signature, keyId);
}

/** The last line; null for an empty ledger. */
export function lastMark(database: Database): LedgerMark | null {
  const row = database.prepare('SELECT seq, hash FROM line ORDER BY seq DESC LIMIT 1').get();
  return row ? { seq: Number(row['seq']), hash: String(row['hash']) } : null;
}

/** Appends lines. */
export function writeLines(database: Database, lines: readonly StoredLine[]): void {
  const insert = database.prepare(`INSERT INTO line (${LINE_COLUMNS}) VALUES (?, ?, ?, ?, ?)`);
  for (const { seq, time, event, previous, hash } of lines) insert.run(seq, time, event, previous, hash);
}

/** The first rows after a sequence number. */
export function readRows(database: Database, after: number, limit: number): LedgerRow[] {
  return database
    .prepare(`SELECT ${LINE_COLUMNS} FROM line WHERE seq > ? ORDER BY seq LIMIT ?`)
    .all(after, limit);
}

/** Lines of a query, ascending. @throws BackendUnavailableError `ledger_damaged` */
export function readLines(database: Database, file: string, query: LedgerQuery): LedgerLine[] {
  const { runId, after = 0, before = Number.MAX_SAFE_INTEGER, from, limit } = query;
  const isNewest = from === 'newest';
  const rows = database
    .prepare(
      `SELECT ${LINE_COLUMNS} FROM line WHERE ${runId === undefined ? '' : 'run_id = ? AND'} seq > ? AND seq < ?
       ORDER BY seq ${isNewest ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    .all(
      ...(runId === undefined ? [] : [canonicalJson(runId)]),
      after,
      before,
      Math.min(Math.max(1, limit), MAX_LEDGER_LINES),
    );
  return (isNewest ? rows.reverse() : rows).map((row) => lineOf(row, failuresOf(file)));
}
