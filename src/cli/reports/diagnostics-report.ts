import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import {
  type DiagnosticColumn,
  type NumberFormats,
  RECORD_COLUMNS,
  valueText,
} from '../../diagnostics/report/columns.js';
import { plainLine } from '../../text/plain-line.js';
import { plural, when } from './report-lines.js';

/** Truncates a text to a number of characters; a truncated text ends in `…`. */
function clipped(text: string, width: number): string {
  const plain = [...plainLine(text)];
  return plain.length > width ? `${plain.slice(0, width - 1).join('')}…` : plain.join('');
}

/** A column of the list in a terminal. Numbers are padded and never truncated. */
interface TerminalColumn extends DiagnosticColumn<DiagnosticRecord> {
  readonly width: number;
}

const { time, tool, total, returned, outcome, id } = RECORD_COLUMNS;

/** With spaces in between, they fit a terminal of 100 columns. Times are in UTC. */
const COLUMNS: readonly TerminalColumn[] = [
  { ...time, value: ({ timestamp }) => timestamp.slice(5, 19).replace('T', ' '), width: 14 },
  { ...tool, width: 20 },
  { ...total, width: 7 },
  { ...returned, width: 5 },
  { ...outcome, width: 10 },
  { ...id, width: 36 },
];

const FORMATS: NumberFormats = {
  rank: String,
  count: String,
  score: String,
  ms: (value) => value.toFixed(1),
};

const lineOf = (cellOf: (column: TerminalColumn) => string): string =>
  COLUMNS.map((column) => {
    const { unit, width } = column;
    return unit ? cellOf(column).padStart(width) : clipped(cellOf(column), width).padEnd(width);
  }).join(' ');

/** The column heads. */
export const DIAGNOSTIC_HEAD = lineOf(({ name }) => name).trimEnd();

/** One record as a line. */
export const diagnosticLine = (record: DiagnosticRecord): string =>
  lineOf((column) => valueText(column, record, FORMATS) ?? '');

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
