import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { Environment } from '../config/config.js';
import type { Answerable } from '../kb/answerable.js';
import { collect, guarded, indexOption, overrides } from './command-parts.js';
import type { Common } from './command-parts.js';

/** What every command on diagnostics may be told. */
export interface DiagnosticsFlags extends Common {
  readonly dir?: string;
  readonly json?: boolean;
}

export interface ListFlags extends DiagnosticsFlags {
  readonly tool?: string;
  readonly since?: string;
  readonly until?: string;
  readonly failed?: boolean;
  readonly degraded?: boolean;
  readonly partial?: boolean;
  readonly minMs?: number;
  readonly session?: string;
  readonly answerable?: string;
  readonly limit?: number;
}

/** Texts in place of those that a diagnostic does not keep. */
export interface TextFlags extends DiagnosticsFlags {
  readonly query?: string;
  readonly keyword?: readonly string[];
  readonly part?: readonly string[];
  readonly docTag?: readonly string[];
  readonly pathPrefix?: string;
  readonly updatedAfter?: string;
}

export interface WhyFlags extends TextFlags {
  readonly id?: string;
  readonly tool?: 'kb.search' | 'kb.retrieve_evidence';
  readonly topK?: number;
  readonly maxPerDoc?: number;
}

const VERDICTS: readonly Answerable[] = ['likely', 'unsure', 'unlikely'];

const load = () => import('./diagnostics.command.js');

const SPAN = /^(\d{1,6})\s*([mhd])$/;
const DATE = /^\d{4}-\d{2}-\d{2}/;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A moment, also as the time that has passed since: `2h`. @returns ISO-8601, UTC */
function moment(text: string): string {
  const [, count, unit = ''] = SPAN.exec(text.trim()) ?? [];
  const ago = UNITS[unit];
  const date = DATE.test(text) ? Date.parse(text) : NaN;
  const at = ago === undefined ? date : Date.now() - Number(count) * ago;
  if (Number.isNaN(at))
    throw new InvalidArgumentError('Give a date and time (2026-01-31T12:00Z) or 30m, 2h, 7d.');
  return new Date(at).toISOString();
}

/** A whole number within bounds. */
function count(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number of milliseconds, 0 or more.');
}

const dirOption = (): Option =>
  new Option(
    '--dir <folder>',
    'where the diagnostics are (RETRIEVAL_DIAGNOSTICS_DIR; default reports/retrieval_diagnostics)',
  );

/** Settings that flags stand for. */
function settingsOf({ dir, ...flags }: DiagnosticsFlags): Environment {
  return { ...overrides(flags), ...(dir === undefined ? {} : { RETRIEVAL_DIAGNOSTICS_DIR: dir }) };
}

function addReaders(diagnostics: Command): void {
  diagnostics
    .command('show')
    .argument('<id>', 'diagnostic_id of a result, a log line or a span')
    .summary('print one diagnostic as people read it')
    .description('Prints the page of one retrieval: timings, counts, what was returned and what was dropped.')
    .addOption(dirOption())
    .option('--json', 'print the whole record instead')
    .action((id: string, flags: DiagnosticsFlags) =>
      guarded(async () => (await load()).showDiagnostic(id, flags, settingsOf(flags))),
    );
  diagnostics
    .command('tail')
    .summary('print diagnostics as they are written, until Ctrl-C')
    .description('Follows the diagnostics of all servers that write to the folder, one line each.')
    .addOption(dirOption())
    .option('--json', 'print whole records, one a line')
    .action((flags: DiagnosticsFlags) =>
      guarded(async () => (await load()).tailDiagnostics(flags, settingsOf(flags))),
    );
}

function addList(diagnostics: Command): void {
  diagnostics
    .command('list')
    .summary('list diagnostics, newest first')
    .description(
      'Lists the diagnostics that are kept, newest first; options narrow the list, several of them together.',
    )
    .addOption(dirOption())
    .option('--tool <name>', 'of this tool, such as kb.search')
    .option('--since <time>', 'written at this time or later: 2026-01-31T12:00Z, or 30m, 2h, 7d ago', moment)
    .option('--until <time>', 'written before this time', moment)
    .option('--failed', 'of failed calls')
    .option('--degraded', 'of calls that a part of the engine could not answer')
    .option('--partial', 'of results that hold less than there was')
    .option('--min-ms <number>', 'that took so many milliseconds or more', milliseconds)
    .option('--session <id>', 'of one session')
    .addOption(new Option('--answerable <verdict>', 'whose answer was').choices(VERDICTS))
    .option('--limit <number>', 'most to list, 1 to 500 (default: 20)', count(1, 500))
    .option('--json', 'print whole records, as one array')
    .action((flags: ListFlags) =>
      guarded(async () => (await load()).listDiagnostics(flags, settingsOf(flags))),
    );
}

const withTexts = (command: Command): Command =>
  command
    .addOption(dirOption())
    .addOption(indexOption())
    .option('-q, --query <text>', 'the question, where the diagnostic does not keep it')
    .option('-k, --keyword <word>', 'a keyword that was sent with it; repeatable', collect)
    .option('--part <question>', 'a sub-question that was sent with it; repeatable', collect)
    .option('--doc-tag <tag>', 'only documents with this tag; repeatable', collect)
    .option('--path-prefix <path>', 'only documents whose path starts so')
    .option('--updated-after <time>', 'only documents changed since: 2026-01-31, or 30m, 2h, 7d ago', moment);

function addReplay(diagnostics: Command): void {
  withTexts(diagnostics.command('replay'))
    .argument('<id>', 'diagnostic_id')
    .summary('run a retrieval again and show what is different now')
    .description(
      'Asks the index of today what a call asked then, with the same arguments and scope, and compares: sections that came, ' +
        'went or moved, scores and counts. Texts are kept only with RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT=true; otherwise ' +
        'say the question again with --query, and its hash tells whether it is the same.\n\n' +
        'Exit codes: 0 done, whether or not there are differences, 1 failed, 2 wrong usage.',
    )
    .option('--json', 'print the comparison as JSON')
    .action((id: string, flags: TextFlags) =>
      guarded(async () => (await import('./replay.command.js')).replay(id, flags, settingsOf(flags))),
    );
}

function addWhy(diagnostics: Command): void {
  withTexts(diagnostics.command('why'))
    .argument('<section_id>', 'the section that should have been found; a path alone is its first section')
    .summary('say where a section was lost that should have been found')
    .description(
      'Asks the index and follows one section through the retrieval: is it indexed, within scope and filters, does it hold the ' +
        'words, where does it rank, was it dropped, quoted, left out? Says the first cause first, and what to do about it.\n\n' +
        'Exit codes: 0 done, whatever was found out, 1 failed, 2 wrong usage.',
    )
    .option('--id <diagnostic_id>', 'take the question, its settings and its scope from this diagnostic')
    .addOption(
      new Option('--tool <name>', 'which tool should have found it (default: kb.retrieve_evidence)').choices([
        'kb.search',
        'kb.retrieve_evidence',
      ]),
    )
    .option('--top-k <number>', 'length of the list of kb.search, 1 to 50', count(1, 50))
    .option('--max-per-doc <number>', 'most sections of one document, 1 to 10', count(1, 10))
    .option('--json', 'print what was found out as JSON')
    .action((sectionId: string, flags: WhyFlags) =>
      guarded(async () => (await import('./why.command.js')).why(sectionId, flags, settingsOf(flags))),
    );
}

/** `pith diagnostics …` */
export function addDiagnostics(program: Command): void {
  const diagnostics = program
    .command('diagnostics')
    .summary('find out why an answer was bad: show, list, tail, replay, why')
    .description(
      'Looks into what retrievals did. Servers write a diagnostic of a share of them, and of all that fail; a result says its ' +
        'diagnostic_id.',
    );
  addList(diagnostics);
  addReaders(diagnostics);
  addReplay(diagnostics);
  addWhy(diagnostics);
}
