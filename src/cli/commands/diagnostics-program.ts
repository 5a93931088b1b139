import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Answerable } from '../../kb/evidence.schemas.js';
import { collect, guarded, indexOption, moment } from '../command-parts.js';
import type { DiagnosticsFlags, ListFlags, TextFlags, WhyFlags } from '../flags.js';
import type { OpenSession } from '../running/session.js';
import type { Servers } from './serve.command.js';

const VERDICTS: readonly Answerable[] = ['likely', 'unsure', 'unlikely'];

const load = () => import('./diagnostics.command.js');

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
  throw new InvalidArgumentError('Expected a number of milliseconds, 0 or more.');
}

const withFolder = (command: Command): Command =>
  command
    .option(
      '--dir <folder>',
      'folder of the diagnostics (RETRIEVAL_DIAGNOSTICS_DIR; default reports/retrieval_diagnostics in the folder of the index)',
    )
    .addOption(indexOption());

function addReaders(diagnostics: Command): void {
  withFolder(diagnostics.command('show'))
    .argument('<id>', 'diagnostic_id from a result, a log line or a span')
    .summary('print one diagnostic as text')
    .description('Prints the report of one retrieval: timings, counts, returned and dropped sections.')
    .option('--json', 'print the full record as JSON')
    .action((id: string, flags: DiagnosticsFlags) =>
      guarded(async () => (await load()).showDiagnostic(id, flags)),
    );
  withFolder(diagnostics.command('tail'))
    .summary('print new diagnostics until Ctrl+C')
    .description('Prints one line for each new diagnostic of all servers that write to the folder.')
    .option('--json', 'print full records, one per line')
    .action((flags: DiagnosticsFlags) => guarded(async () => (await load()).tailDiagnostics(flags)));
}

function addList(diagnostics: Command): void {
  withFolder(diagnostics.command('list'))
    .summary('list diagnostics, newest first')
    .description('Lists diagnostics, newest first. Options narrow the list; all given options must match.')
    .option('--tool <name>', 'only this tool, for example kb.search')
    .option(
      '--since <time>',
      'written at or after this time: 2026-01-31T12:00Z, or an age such as 30m, 2h, 7d',
      moment,
    )
    .option('--until <time>', 'written before this time', moment)
    .option('--failed', 'only failed calls')
    .option('--degraded', 'only degraded calls, in which a stage failed')
    .option('--partial', 'only results that were cut to fit their limits')
    .option('--min-ms <number>', 'only calls that took at least this long (ms)', milliseconds)
    .option('--session <id>', 'only this session')
    .addOption(new Option('--answerable <verdict>', 'only this verdict').choices(VERDICTS))
    .option('--limit <number>', 'maximum number to list, 1 to 500 (default: 20)', count(1, 500))
    .option('--json', 'print full records as a JSON array')
    .action((flags: ListFlags) => guarded(async () => (await load()).listDiagnostics(flags)));
}

const withTexts = (command: Command): Command =>
  withFolder(command)
    .option('-q, --query <text>', 'the question, if the diagnostic does not contain it')
    .option('-k, --keyword <word>', 'a keyword that was sent with it; repeatable', collect)
    .option('--part <question>', 'a sub-question that was sent with it; repeatable', collect)
    .option('--doc-tag <tag>', 'only documents with this tag; repeatable', collect)
    .option('--path-prefix <path>', 'only documents whose path starts with this')
    .option(
      '--updated-after <time>',
      'only documents changed since: 2026-01-31, or an age such as 30m, 2h, 7d',
      moment,
    );

function addReplay(diagnostics: Command, open: OpenSession): void {
  withTexts(diagnostics.command('replay'))
    .argument('<id>', 'diagnostic_id')
    .summary('run a retrieval again and show the differences')
    .description(
      'Repeats a recorded call on the current index, with the same arguments and scope, and compares the results: added, ' +
        'removed and moved sections, scores and counts. Diagnostics contain the question only with ' +
        'RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT=true. Otherwise give it with --query; its hash is compared.\n\n' +
        'Exit codes: 0 done, with or without differences, 1 failed, 2 wrong usage.',
    )
    .option('--json', 'print the comparison as JSON')
    .action((id: string, flags: TextFlags) =>
      guarded(async () => (await import('./replay.command.js')).replay(id, flags, open)),
    );
}

function addWhy(diagnostics: Command, open: OpenSession): void {
  withTexts(diagnostics.command('why'))
    .argument(
      '<section_id>',
      'the expected section; a path alone means the section of the page that got furthest',
    )
    .summary('show why an expected section was not found')
    .description(
      'Repeats a search and follows one section through it: is it indexed, does it match the scope, the filters and the ' +
        'words, how does it rank, was it dropped or quoted? Reports the first cause and what to do about it.\n\n' +
        'Exit codes: 0 done, whatever the result, 1 failed, 2 wrong usage.',
    )
    .option('--id <diagnostic_id>', 'use the question, settings and scope of this diagnostic')
    .addOption(
      new Option(
        '--tool <name>',
        'the tool that should have found it (default: kb.retrieve_evidence)',
      ).choices(['kb.search', 'kb.retrieve_evidence']),
    )
    .option('--top-k <number>', 'top_k of kb.search, 1 to 50', count(1, 50))
    .option('--max-per-doc <number>', 'maximum sections per document, 1 to 10', count(1, 10))
    .option('--json', 'print the findings as JSON')
    .action((sectionId: string, flags: WhyFlags) =>
      guarded(async () => (await import('./why.command.js')).why(sectionId, flags, open)),
    );
}

/** `pith diagnostics …` */
export function addDiagnostics(program: Command, { inProcess }: Pick<Servers, 'inProcess'>): void {
  const diagnostics = program
    .command('diagnostics')
    .summary('find out why an answer was wrong: show, list, tail, replay, why')
    .description(
      'Shows what retrievals did. Servers write a diagnostic for a sample of retrievals and for every failed one. The result ' +
        'of a call contains its diagnostic_id.',
    );
  addList(diagnostics);
  addReaders(diagnostics);
  addReplay(diagnostics, inProcess);
  addWhy(diagnostics, inProcess);
}
