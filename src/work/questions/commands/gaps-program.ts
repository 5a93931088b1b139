import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect, guarded, indexOption, moment } from '../../../cli/command-parts.js';
import type { Servers } from '../../../cli/commands/serve.command.js';
import { GAP_STATES } from '../gap.js';
import type { GapFlags, ListGapsFlags } from './gaps.command.js';

const load = () => import('./gaps.command.js');

const state = (text: string, before: readonly string[] = []): readonly string[] => {
  if (GAP_STATES.some((each) => each === text)) return collect(text, before);
  throw new InvalidArgumentError(`Give one of ${GAP_STATES.join(', ')}.`);
};

/** `pith gaps …` */
export function addGaps(program: Command, { inProcess: open }: Pick<Servers, 'inProcess'>): void {
  const gaps = program
    .command('gaps')
    .summary('list what people asked and the documents do not answer')
    .description(
      'Lists the gaps, the most asked first, and asks open ones again after the documents ' +
        'have changed. Servers keep questions only with PITH_QUESTIONS=on. See docs/gaps.md.',
    )
    .addOption(indexOption())
    .addOption(
      new Option('--state <state>', `only this state: ${GAP_STATES.join(', ')}; repeatable`).argParser(state),
    )
    .addOption(
      new Option('--since <time>', 'only what was asked since this day, instant or age (7d)').argParser(
        moment,
      ),
    )
    .option('--json', 'print a list of objects')
    .addOption(new Option('--csv', 'print rows of CSV').conflicts('json'))
    .addOption(new Option('--markdown', 'print Markdown, an issue for each gap').conflicts(['json', 'csv']))
    .action((flags: ListGapsFlags) => guarded(async () => (await load()).listGaps(flags, open), flags.json));
  gaps.hook('preAction', refuseOthers);
  addChanges(gaps, open);
}

/** Options of `pith gaps` that its commands have too. */
const SHARED: Readonly<Record<string, readonly string[]>> = { usage: ['index', 'since', 'json'] };

/** The parent takes its options wherever they stand, also those that a command of it does not have. */
function refuseOthers(gaps: Command, command: Command): void {
  const known = SHARED[command.name()] ?? ['index'];
  const names = gaps.options.map((option) => option.attributeName()).filter((name) => !known.includes(name));
  const other = names.find((name) => gaps.getOptionValueSource(name) === 'cli');
  if (command !== gaps && other !== undefined) command.error(`error: unknown option '--${other}'`);
}

function addChanges(gaps: Command, open: Servers['inProcess']): void {
  // The parent has the same option, and takes it wherever it stands.
  const shared = (flags: GapFlags): GapFlags => ({ ...gaps.opts<GapFlags>(), ...flags });
  gaps
    .command('mark')
    .argument('<id>', 'id of the gap')
    .argument('<state>', 'open, written or answered')
    .summary('change the state of a gap')
    .description('Says that a page was written, that the question is answered, or opens a gap again.')
    .addOption(indexOption())
    .action((id: string, given: string, flags: GapFlags) =>
      guarded(async () => (await load()).markGap({ id, state: given }, shared(flags), open)),
    );
  gaps
    .command('usage')
    .summary('show what is asked, what answers it, and words that no document contains')
    .description(
      'Shows the answer rate by week, the most asked questions, the pages that answer most and those that answer none, and ' +
        'words that people use and the documents do not, with synonyms for .pith.yaml that made answers surer.',
    )
    .addOption(indexOption())
    .action((flags: ListGapsFlags) => {
      const all = { ...gaps.opts<ListGapsFlags>(), ...flags };
      return guarded(async () => (await load()).showUsage(all, open), all.json);
    });
  gaps
    .command('claim')
    .argument('<id>', 'id of an answered or checked gap')
    .summary('make a claim of a gap, with the quote that answers it as evidence')
    .description(
      'Makes a claim that says that the documents answer the question, with the quote as its evidence.',
    )
    .addOption(indexOption())
    .action((id: string, flags: GapFlags) =>
      guarded(async () => (await load()).claimGap(id, shared(flags), open)),
    );
}
