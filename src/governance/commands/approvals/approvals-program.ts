import { type Command, InvalidArgumentError, Option } from 'commander';
import { guarded, indexOption } from '../../../cli/command-parts.js';
import type { Servers } from '../../../cli/commands/serve.command.js';
import { APPROVAL_STATES, MAX_LISTED_APPROVALS } from '../../approvals/approval.js';
import type { ApprovalFlags, ApprovalListFlags, DecideFlags } from '../flags.js';
import type { DecisionVerb } from './approvals.command.js';

const load = () => import('./approvals.command.js');

const MAX_LIMIT = MAX_LISTED_APPROVALS;

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LIMIT}.`);
}

const withStore = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--file <file>',
        'the governance store (PITH_GOVERNANCE_STORE_FILE; default: beside the index)',
      ),
    )
    .addOption(indexOption())
    .option('--json', 'print the result or the error as JSON');

function addReaders(approvals: Command): void {
  withStore(approvals.command('list'))
    .summary('list calls that wait for approval, newest first')
    .description('Lists the calls that wait for approval, newest first, or those in another state.')
    .addOption(
      new Option('--state <state>', 'only this state')
        .choices([...APPROVAL_STATES, 'all'])
        .default('pending'),
    )
    .option('--limit <number>', `maximum number to list, 1 to ${MAX_LIMIT}`, limitOf, 50)
    .action((flags: ApprovalListFlags) =>
      guarded(async () => (await load()).listApprovals(flags), flags.json),
    );
  withStore(approvals.command('show'))
    .argument('<id>', 'id of the approval')
    .summary('print one call in words, with its arguments')
    .description('Prints what a call would do, in words and as arguments, and what was decided.')
    .action((id: string, flags: ApprovalFlags) =>
      guarded(async () => (await load()).showApproval(id, flags), flags.json),
    );
}

interface DecisionParts extends Pick<Servers, 'tools'> {
  readonly approvals: Command;
}

function addDecision({ approvals, tools }: DecisionParts, verb: DecisionVerb, summary: string): void {
  withStore(approvals.command(verb))
    .argument('<id>', 'id of the approval')
    .summary(summary)
    .description(
      `Records your decision under your user name, or the name of --as. Look at the call first: pith approvals show.\n\n` +
        'Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    )
    .option(
      '--note <text>',
      'reason of the decision, at most 500 characters; the caller of a rejected call sees it',
    )
    .option('--as <name>', 'a principal of PITH_ACCESS_FILE with the permission approve')
    .action((id: string, flags: DecideFlags) =>
      guarded(async () => (await load()).decideByCommand(id, verb, { ...flags, tools }), flags.json),
    );
}

/** `pith approvals …` */
export function addApprovals(program: Command, { tools }: Pick<Servers, 'tools'>): void {
  const approvals = program
    .command('approvals')
    .summary('decide about calls that wait for approval: list, show, approve, reject, revoke')
    .description(
      'Policy rules with the effects approve and review let calls wait until operators decide. These commands work on the ' +
        'store of the server while it runs. Anyone who can write the store can decide. See docs/approvals.md.',
    );
  addReaders(approvals);
  addDecision({ approvals, tools }, 'approve', 'let the caller make this call once');
  addDecision({ approvals, tools }, 'reject', 'refuse this call');
  addDecision({ approvals, tools }, 'revoke', 'take back an approval that was granted and not used yet');
}
