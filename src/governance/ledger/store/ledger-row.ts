import { readEvent } from '../event-text.js';
import type { StoredLine } from '../ledger-chain.js';
import type { LedgerLine } from '../ledger-line.js';
import type { UncheckedHead, UncheckedLine } from '../ledger-verifier.js';
import type { LedgerFailures } from './continue-ledger.js';

/** Columns of a line, in every engine. */
export const LINE_COLUMNS = 'seq, time, event, previous, hash';

/** A row of a table, by column name. */
export type LedgerRow = Readonly<Record<string, unknown>>;

/** A row as a line whose fields may have any type. */
export const uncheckedLine = (row: LedgerRow): UncheckedLine => ({
  seq: row['seq'],
  time: row['time'],
  event: row['event'],
  previous: row['previous'],
  hash: row['hash'],
});

/** A row as a head whose fields may have any type. @param row  undefined for an empty ledger */
export const uncheckedHead = (row: LedgerRow | undefined): UncheckedHead | null =>
  row ? { seq: row['seq'], hash: row['hash'], signature: row['signature'], keyId: row['key_id'] } : null;

/** A row as a line. Its hash is not checked. */
export function storedLine(row: LedgerRow): StoredLine {
  return {
    seq: Number(row['seq']),
    time: String(row['time']),
    event: String(row['event']),
    previous: String(row['previous']),
    hash: String(row['hash']),
  };
}

/** A row as a line with its event. @throws BackendUnavailableError `ledger_damaged` */
export function lineOf(row: LedgerRow, failures: LedgerFailures): LedgerLine {
  const { event: text, ...line } = storedLine(row);
  const event = readEvent(text);
  if (!event) throw failures.damaged(`line ${line.seq} can't be read`);
  return { ...line, event };
}
