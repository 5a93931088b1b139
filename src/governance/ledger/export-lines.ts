import { canonicalJson } from '../../text/canonical-json.js';
import { type Ledger } from './ledger.js';
import { type LedgerLine, MAX_LEDGER_LINES } from './ledger-line.js';

export const LEDGER_FORMATS = ['jsonl', 'csv'] as const;
export type LedgerFormat = (typeof LEDGER_FORMATS)[number];

/** Fields of events that have a column of their own. `refs` and `scope` are JSON. */
const EVENT_COLUMNS = [
  ...['type', 'run_id', 'call_id', 'tool', 'version', 'input_hash', 'principal', 'agent', 'rule', 'effect'],
  ...[
    'session',
    'scope',
    'outcome',
    'executed',
    'error_code',
    'reason',
    'duration_ms',
    'bytes',
    'tokens',
    'refs',
  ],
  ...['refs_omitted', 'what', 'before', 'after', 'removed_through', 'approval_id', 'approver', 'expires_at'],
  ...['verdict', 'decided_by', 'via', 'state', 'arguments', 'os_user', 'calls_omitted'],
  ...['provider', 'request', 'answer'],
  ...[
    'number',
    'run_type',
    'name',
    'data',
    'manifest_sha256',
    'step',
    'step_event',
    'success',
    'checkpoint_version',
  ],
] as const;

const CSV_HEAD = ['seq', 'time', ...EVENT_COLUMNS, 'previous', 'hash'].join(',');

// Spreadsheets run text that begins like this as a formula.
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A cell in quotes. Text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: unknown): string {
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
