import type { DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { plainLine } from '../../text/plain-line.js';
import { plural } from './report-lines.js';

/** Widths of the columns; with two spaces between them they fit a terminal of 100 columns, ids whole. */
const WIDTHS = { time: 14, tool: 20, ms: 7, found: 5, outcome: 10, id: 36 } as const;
const GAP = ' ';

/** Exactly so wide; what is longer ends in `…`. */
function cell(text: string, width: number): string {
  const plain = [...plainLine(text)];
  return plain.length > width ? `${plain.slice(0, width - 1).join('')}…` : plain.join('').padEnd(width);
}

/** `11-22 09:05:30`, UTC. */
const timeOf = ({ timestamp }: DiagnosticRecord): string => timestamp.slice(5, 19).replace('T', ' ');

/** What an operator looks for first: failures, then what was missing, then what was answered. */
function outcomeOf({ error, degraded, budgets, answerable }: DiagnosticRecord): string {
  if (error) return error.reason;
  if (degraded.length > 0) return `without ${degraded.join(', ')}`;
  if (budgets.partial) return 'partial';
  return answerable?.verdict ?? 'ok';
}

/** One record as a line. */
export function diagnosticLine(record: DiagnosticRecord): string {
  const { tool, timing_ms, counts, diagnostic_id } = record;
  return [
    cell(timeOf(record), WIDTHS.time),
    cell(tool, WIDTHS.tool),
    timing_ms.total.toFixed(1).padStart(WIDTHS.ms),
    String(counts.returned).padStart(WIDTHS.found),
    cell(outcomeOf(record), WIDTHS.outcome),
    cell(diagnostic_id, WIDTHS.id),
  ].join(GAP);
}

/** Characters of a question in a list; a line stays within 100 columns. */
const MAX_QUESTION = 96;

/** One record as it is listed: its line, and below it the question where that is kept. */
export function diagnosticLines(record: DiagnosticRecord): string[] {
  const { raw } = record.query;
  if (raw === null) return [diagnosticLine(record)];
  const question = [...plainLine(raw.replace(/\s+/gu, ' ').trim())];
  const isLong = question.length > MAX_QUESTION;
  const shown = isLong ? `${question.slice(0, MAX_QUESTION - 1).join('')}…` : question.join('');
  return [diagnosticLine(record), `  “${shown}”`];
}

/** The heads of the columns. */
export const DIAGNOSTIC_HEAD = [
  'time (UTC)'.padEnd(WIDTHS.time),
  'tool'.padEnd(WIDTHS.tool),
  'ms'.padStart(WIDTHS.ms),
  'found'.padStart(WIDTHS.found),
  'outcome'.padEnd(WIDTHS.outcome),
  'id',
].join(GAP);

interface ListFacts {
  readonly folder: string;
  /** Whether anything but all was asked for. */
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

/** A page of records as a table, and what to do next. */
export function listLines(page: DiagnosticPage, facts: ListFacts): string[] {
  const { records, next, skipped } = page;
  const [newest] = records;
  const oldest = records.at(-1);
  const unread =
    skipped > 0
      ? [`${plural(skipped, 'line')} could not be read and ${skipped === 1 ? 'was' : 'were'} skipped.`]
      : [];
  if (!newest || !oldest) return [...nothingLines(page, facts), ...unread];
  return [
    DIAGNOSTIC_HEAD,
    ...records.flatMap(diagnosticLines),
    '',
    `To show one: pith diagnostics show ${plainLine(newest.diagnostic_id)}`,
    ...(next === null ? [] : [`For older ones: --limit 500, or --until ${plainLine(oldest.timestamp)}`]),
    ...unread,
  ];
}
