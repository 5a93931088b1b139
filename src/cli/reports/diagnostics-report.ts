import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { numbers, type ReportColumn, words } from '../../diagnostics/report/report-table.js';
import { plainLine } from '../../text/plain-line.js';
import { plural, when } from './report-lines.js';

/** Truncates a text to a number of characters; a truncated text ends in `…`. */
function clipped(text: string, width: number): string {
  const plain = [...plainLine(text)];
  return plain.length > width ? `${plain.slice(0, width - 1).join('')}…` : plain.join('');
}

/** The error of a call, else the failed stages, else `partial`, else the verdict. */
function outcomeOf({ error, degraded, budgets, answerable }: DiagnosticRecord): string {
  if (error) return error.reason;
  if (degraded.length > 0) return `without ${degraded.join(', ')}`;
  if (budgets.partial) return 'partial';
  return answerable?.verdict ?? 'ok';
}

/** A column of the list in a terminal. Numbers are padded and never truncated. */
interface TerminalColumn extends ReportColumn<DiagnosticRecord, string> {
  readonly width: number;
}

/** With spaces in between, they fit a terminal of 100 columns. Times are in UTC. */
const COLUMNS: readonly TerminalColumn[] = [
  { ...words('time (UTC)', ({ timestamp }) => timestamp.slice(5, 19).replace('T', ' ')), width: 14 },
  { ...words('tool', ({ tool }) => tool), width: 20 },
  { ...numbers('ms', ({ timing_ms }) => timing_ms.total.toFixed(1)), width: 7 },
  { ...numbers('found', ({ counts }) => String(counts.returned)), width: 5 },
  { ...words('outcome', outcomeOf), width: 10 },
  { ...words('id', ({ diagnostic_id }) => diagnostic_id), width: 36 },
];

const lineOf = (cellOf: (column: TerminalColumn) => string): string =>
  COLUMNS.map((column) => {
    const { isNumber, width } = column;
    return isNumber ? cellOf(column).padStart(width) : clipped(cellOf(column), width).padEnd(width);
  }).join(' ');

/** The column heads. */
export const DIAGNOSTIC_HEAD = lineOf(({ name }) => name).trimEnd();

/** One record as a line. */
export const diagnosticLine = (record: DiagnosticRecord): string => lineOf(({ cell }) => cell(record));

/** Maximum characters of a question in a list; a line fits 100 columns. */
const MAX_QUESTION = 96;

/** One record in a list: its line, and the question if it is stored. */
export function diagnosticLines(record: DiagnosticRecord): string[] {
  const { raw } = record.query;
  if (raw === null) return [diagnosticLine(record)];
  return [diagnosticLine(record), `  “${clipped(raw.replace(/\s+/gu, ' ').trim(), MAX_QUESTION)}”`];
}

interface ListFacts {
  readonly folder: string;
  /** True if the list is filtered. */
  readonly isFiltered: boolean;
}

function nothingLines({ isComplete }: DiagnosticPage, { folder, isFiltered }: ListFacts): string[] {
  if (!isComplete)
    return [
      'None of the newest diagnostics matches, and older ones were not read. Narrow the range with --since and --until.',
    ];
  if (isFiltered) return [`No diagnostic in ${folder} matches these options. Remove some of them.`];
  return [
    `There are no diagnostics in ${folder}.`,
    'Servers record failed retrievals and a sample of the others; RETRIEVAL_DIAGNOSTICS_FORCE=1 records all.',
    'Choose another folder with --dir.',
  ];
}

/** A page of records as a table, with the next commands. */
export function listLines(page: DiagnosticPage, facts: ListFacts): string[] {
  const { records, next, skipped } = page;
  const [newest] = records;
  const oldest = records.at(-1);
  const were = skipped === 1 ? 'was' : 'were';
  const unread = when(skipped > 0, `${plural(skipped, 'line')} could not be read and ${were} skipped.`);
  if (!newest || !oldest) return [...nothingLines(page, facts), ...unread];
  return [
    DIAGNOSTIC_HEAD,
    ...records.flatMap(diagnosticLines),
    '',
    `To show one: pith diagnostics show ${plainLine(newest.diagnostic_id)}`,
    ...when(next !== null, `For older ones: --limit 500, or --until ${plainLine(oldest.timestamp)}`),
    ...unread,
  ];
}
