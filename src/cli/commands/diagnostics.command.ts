import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import { DiagnosticArchive, type DiagnosticPage } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticFilter } from '../../diagnostics/archive/diagnostic-filter.js';
import { isDiagnosticId } from '../../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import {
  type DiagnosticColumn,
  type NumberFormats,
  RECORD_COLUMNS,
  valueText,
} from '../../diagnostics/report/columns.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { clipText } from '../../text/span.js';
import { type DiagnosticsFlags, type ListFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { plural, when } from '../reports/report-lines.js';
import { toldToEnd } from '../running/signals.js';

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
function diagnosticLines(record: DiagnosticRecord): string[] {
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

const DEFAULT_LIMIT = 20;
const MAX_ID_SHOWN = 80;

interface Reading {
  readonly config: Config;
  readonly folder: string;
  readonly archive: DiagnosticArchive;
}

/** Explains errors of a folder that can't be read. @throws InvalidArgumentError `diagnostics_not_readable` */
async function readable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new InvalidArgumentError(`The diagnostics in ${folder} can't be read: ${error.message}`, {
      reason: 'diagnostics_not_readable',
      hint: 'Run this as the user of the server, or choose another folder with --dir.',
      cause: error,
    });
  }
}

export function openArchive(flags: DiagnosticsFlags): Reading {
  const config = loadConfig(settingsFrom(flags));
  const folder = config.diagnostics.dir;
  return { config, folder, archive: new DiagnosticArchive(folder) };
}

function idOf(text: string): string {
  const id = text.trim().toLowerCase();
  if (isDiagnosticId(id)) return id;
  throw new InvalidArgumentError(
    `${JSON.stringify(clipText(plainLine(text), MAX_ID_SHOWN))} is not a diagnostic id.`,
    {
      reason: 'invalid_input',
      hint: 'A diagnostic id is a UUID: the diagnostic_id of a result. pith diagnostics list shows the ids.',
    },
  );
}

async function lookUp<T>(folder: string, text: string, find: (id: string) => Promise<T | null>): Promise<T> {
  const id = idOf(text);
  const found = await readable(folder, () => find(id));
  if (found !== null) return found;
  throw new InvalidArgumentError(`There is no diagnostic ${id} in ${folder}.`, {
    reason: 'diagnostic_not_found',
    hint: 'It may have expired, the call may not have been recorded, or --dir may be the wrong folder. pith diagnostics list shows the existing ids.',
  });
}

/** Finds a record. @throws InvalidArgumentError `diagnostic_not_found` */
export const findRecord = ({ archive, folder }: Reading, text: string): Promise<DiagnosticRecord> =>
  lookUp(folder, text, (id) => archive.find(id));

/** `pith diagnostics show` */
export async function showDiagnostic(text: string, flags: DiagnosticsFlags): Promise<void> {
  const reading = openArchive(flags);
  if (flags.json) {
    print(plainJson(await findRecord(reading, text)));
    return;
  }
  const markdown = await lookUp(reading.folder, text, (id) => reading.archive.markdown(id));
  print(markdown.trimEnd().split('\n').map(plainLine).join('\n'));
}

function filterOf(flags: ListFlags): DiagnosticFilter {
  const { tool, since, until, minMs, session, answerable, failed, degraded, partial } = flags;
  return {
    tool,
    since,
    until,
    answerable,
    minTotalMs: minMs,
    sessionId: session,
    outcome: failed ? 'error' : undefined,
    isDegraded: degraded,
    isPartial: partial,
  };
}

/** `pith diagnostics list` */
export async function listDiagnostics(flags: ListFlags): Promise<void> {
  const { archive, folder } = openArchive(flags);
  const filter = filterOf(flags);
  const limit = flags.limit ?? DEFAULT_LIMIT;
  const page = await readable(folder, () => archive.list(filter, { limit }));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  print(flags.json ? plainJson(page.records) : listLines(page, { folder, isFiltered }).join('\n'));
}

/** `pith diagnostics tail` */
export async function tailDiagnostics(flags: DiagnosticsFlags): Promise<void> {
  const { archive, folder } = openArchive(flags);
  const ended = new AbortController();
  void toldToEnd().then(() => ended.abort());
  const records = archive.follow(ended.signal);
  tell(`Following ${folder}: new diagnostics appear here. Press Ctrl+C to stop.`);
  if (!flags.json) print(DIAGNOSTIC_HEAD);
  await readable(folder, async () => {
    for await (const record of records)
      print(flags.json ? plainJson(record, 0) : diagnosticLines(record).join('\n'));
  });
}
