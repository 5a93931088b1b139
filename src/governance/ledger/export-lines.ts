import { canonicalJson } from '../../text/canonical-json.js';
import { type Ledger } from './ledger.js';
import type { LedgerEvent } from './ledger-event.js';
import { type LedgerLine, MAX_LEDGER_LINES } from './ledger-line.js';

export const LEDGER_FORMATS = ['jsonl', 'csv'] as const;
export type LedgerFormat = (typeof LEDGER_FORMATS)[number];

type EventField<E = LedgerEvent> = E extends unknown ? keyof E : never;

/**
 * The fields of events that have a column of their own, in this order. `refs` and `scope` are JSON. In CSV, `hash` is that
 * of the line, and the one of a checkpoint is left out.
 */
const EVENT_FIELDS: Readonly<Record<Exclude<EventField, 'hash'>, true>> = {
  type: true,
  run_id: true,
  call_id: true,
  tool: true,
  version: true,
  input_hash: true,
  principal: true,
  agent: true,
  rule: true,
  effect: true,
  session: true,
  scope: true,
  outcome: true,
  executed: true,
  error_code: true,
  reason: true,
  duration_ms: true,
  bytes: true,
  tokens: true,
  refs: true,
  refs_omitted: true,
  what: true,
  before: true,
  after: true,
  removed_through: true,
  approval_id: true,
  approver: true,
  expires_at: true,
  verdict: true,
  decided_by: true,
  via: true,
  state: true,
  arguments: true,
  os_user: true,
  calls_omitted: true,
  provider: true,
  request: true,
  answer: true,
  number: true,
  run_type: true,
  name: true,
  data: true,
  manifest_sha256: true,
  step: true,
  step_event: true,
  success: true,
  checkpoint_version: true,
};
const EVENT_COLUMNS = Object.keys(EVENT_FIELDS);

const CSV_HEAD = ['seq', 'time', ...EVENT_COLUMNS, 'previous', 'hash'].join(',');

// Spreadsheets run text that begins like this as a formula.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A cell in quotes. Text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value.toWellFormed() : canonicalJson(value);
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** A line of the ledger as a row of CSV (RFC 4180), without its end. */
export function csvRow({ seq, time, event, previous, hash }: LedgerLine): string {
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(event));
  const values = EVENT_COLUMNS.map((name) => fields.get(name));
  return [seq, time, ...values, previous, hash].map(csvCell).join(',');
}

/**
 * Every line that the ledger holds when the export starts, and those that follow meanwhile, page by page. JSON lines
 * hold everything that the hashes cover, so that they can be verified outside of the ledger.
 * @yields pieces of text that end with a line break
 */
export async function* exportLedger(ledger: Ledger, format: LedgerFormat): AsyncGenerator<string> {
  if (format === 'csv') yield `${CSV_HEAD}\r\n`;
  const textOf = (line: LedgerLine): string =>
    format === 'csv' ? `${csvRow(line)}\r\n` : `${canonicalJson(line)}\n`;
  for (let after = 0; ;) {
    const lines = await ledger.lines({ after, from: 'oldest', limit: MAX_LEDGER_LINES });
    const last = lines.at(-1);
    if (!last) return;
    yield lines.map(textOf).join('');
    after = last.seq;
  }
}
