import { type Command, InvalidArgumentError, Option } from 'commander';
import { guarded, indexOption } from '../../../cli/command-parts.js';
import { LEDGER_FORMATS } from '../../ledger/export-lines.js';
import type { LedgerMark } from '../../ledger/ledger-line.js';
import type { ExportFlags, LedgerFlags, VerifyFlags } from '../flags.js';

const load = () => import('./ledger.command.js');

const MARK = /^(\d{1,15}):([\w-]{43})$/;

/** A mark as `verify` prints it. */
function markOf(text: string): LedgerMark {
  const [, seq, hash] = MARK.exec(text.trim()) ?? [];
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Expected a mark as pith ledger verify prints it: NUMBER:HASH.');
  return { seq: Number(seq), hash };
}

const fileOption = (): Option =>
  new Option('--file <file>', 'the ledger file (PITH_LEDGER_FILE; default: beside the index)');

const withFile = (command: Command): Command => command.addOption(fileOption()).addOption(indexOption());

function addVerify(ledger: Command): void {
  withFile(ledger.command('verify'))
    .summary('check that no line was changed, removed or added')
    .description(
      'Checks every line of the ledger and its signed head, with the secret of the server. Prints a mark: note it elsewhere ' +
        'and pass it to a later check with --mark, which then also finds that the file was replaced by an earlier copy.\n\n' +
        'Exit codes: 0 intact, 1 not intact or not readable, 2 wrong usage.',
    )
    .option('--mark <mark>', 'a mark that an earlier check printed', markOf)
    .option('--json', 'print the result as JSON')
    .action((flags: VerifyFlags) => guarded(async () => (await load()).verifyLedger(flags), flags.json));
}

function addReaders(ledger: Command): void {
  withFile(ledger.command('show'))
    .argument('<run>', 'run id')
    .summary('print the lines of one run')
    .description('Prints the lines of one run, oldest first: its calls and their outcomes.')
    .option('--json', 'print full lines, one JSON object per line')
    .action((run: string, flags: LedgerFlags) => guarded(async () => (await load()).showRun(run, flags)));
  withFile(ledger.command('tail'))
    .summary('print new lines until Ctrl+C')
    .description('Prints the last 10 lines, then each new line of all servers that write to the ledger.')
    .option('--json', 'print full lines, one JSON object per line')
    .action((flags: LedgerFlags) => guarded(async () => (await load()).tailLedger(flags)));
}

/** `pith ledger …` */
export function addLedger(program: Command): void {
  const ledger = program
    .command('ledger')
    .summary('check and read the run ledger: verify, show, tail, export')
    .description(
      'The run ledger records every call and each change of the governance file. Servers write it over HTTP, and over STDIO ' +
        'with PITH_LEDGER=on; these commands work while they write. See docs/governance.md.',
    );
  addVerify(ledger);
  addReaders(ledger);
  withFile(ledger.command('export'))
    .summary('print all lines as JSON lines or CSV')
    .description(
      'Prints all lines to stdout, oldest first. The lines are not verified; run pith ledger verify first.',
    )
    .addOption(new Option('--format <format>', 'format').choices(LEDGER_FORMATS).default('jsonl'))
    .action((flags: ExportFlags) => guarded(async () => (await load()).printExport(flags)));
}
