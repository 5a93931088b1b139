import type { Command } from 'commander';
import { guarded, indexOption } from '../../cli/command-parts.js';
import type { Servers } from '../../cli/commands/serve.command.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { AccessFlags, CheckFlags, ExplainFlags, ToolsFlags } from './flags.js';

const load = () => import('./governance.command.js');

/** A command that only checks says what is invalid, not that a server can't start. */
async function checking(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof InvalidConfigurationError)) throw error;
    throw new InvalidConfigurationError(error.problems, 'This configuration is not valid:');
  }
}

/** Adds `pith governance`, `pith policy`, `pith access` and `pith tools`. */
export function addGovernance(program: Command, { tools }: Servers): void {
  const governance = program
    .command('governance')
    .summary('check the file with agents and policy rules')
    .description(
      'Which tools agents are offered, and which calls are allowed. docs/governance.md describes the file.',
    );
  governance
    .command('check')
    .argument('[file]', 'the governance file (default: PITH_GOVERNANCE_FILE)')
    .summary('validate a governance file and list what each agent is offered')
    .description(
      'Validates the file and prints, for each agent, the number of tools it is offered and the tokens of their list. ' +
        "Warns about agents without tools, patterns that match nothing yet and providers that can't be started. Checks the file of PITH_ACCESS_FILE, too.\n\nExit codes: 0 valid, 2 not valid.",
    )
    .option('--against <file>', 'also print which tools each agent loses or gains, compared with this file')
    .addOption(indexOption())
    .action((file: string | undefined, flags: CheckFlags) =>
      guarded(() => checking(async () => (await load()).checkGovernance(file, flags, await tools()))),
    );
  addPolicy(program, tools);
  addAccess(program, tools);
  addTools(program, tools);
}

function addPolicy(program: Command, tools: Servers['tools']): void {
  program
    .command('policy')
    .summary('explain which rule decides a call')
    .description('Explains what the policy of PITH_GOVERNANCE_FILE decides.')
    .command('explain')
    .summary('print the decision about one call, and the rule that made it')
    .description('Prints what the policy decides about a call, and which rule decides. Nothing is called.')
    .requiredOption('--tool <name>', 'the tool, in either spelling')
    .option('--file <file>', 'the governance file (default: PITH_GOVERNANCE_FILE)')
    .option('--agent <name>', 'the agent (default: PITH_AGENT)')
    .option('--principal <name>', 'the principal; PITH_ACCESS_FILE defines its agent and rights', 'local')
    .option('--args <json>', 'arguments of the call; `scope` narrows what it may see')
    .option('--at <time>', 'the time of the call, such as 2026-01-31T22:00Z (default: now)')
    .addOption(indexOption())
    .option('--json', 'print the decision as one line of JSON')
    .action((flags: ExplainFlags) =>
      guarded(async () => (await import('./policy.command.js')).explainPolicy(flags, await tools())),
    );
}

const loadAccess = () => import('./access.command.js');

function addAccess(program: Command, tools: Servers['tools']): void {
  const access = program
    .command('access')
    .summary('make keys for callers, and check the file that lists them')
    .description('Keys and rights of callers over HTTP. docs/access.md describes the file.');
  access
    .command('key')
    .summary('make a key for a caller')
    .description('Prints a new random key, which is shown only once, and its hash for the access file.')
    .option('--json', 'print key and hash as one line of JSON')
    .addOption(indexOption())
    .action(({ json }: { json?: boolean }) => guarded(async () => (await loadAccess()).printKey(json)));
  access
    .command('check')
    .argument('[file]', 'the access file (default: PITH_ACCESS_FILE)')
    .summary('validate an access file, or explain what one principal may do')
    .description(
      'Validates the file and prints what each principal may do. With --principal, --key-stdin or --token-stdin, explains one of them: ' +
        'its agent, permissions, scope and tools.\n\nExit codes: 0 valid, 1 unknown key, token or principal, 2 not valid.',
    )
    .option('--principal <name>', 'explain this principal')
    .option('--key-stdin', 'explain the principal whose key is on stdin')
    .option('--token-stdin', 'check the access token on stdin as a server does, and explain its principal')
    .addOption(indexOption())
    .action((file: string | undefined, flags: AccessFlags) =>
      guarded(() => checking(async () => (await loadAccess()).checkAccess(file, flags, await tools()))),
    );
}

function addTools(program: Command, tools: Servers['tools']): void {
  const commands = () => import('./tools.command.js');
  const listing = program
    .command('tools')
    .summary('list the tools of this server')
    .description(
      'Prints the tools that are turned on, with version, safety class, permission and the capabilities that they require. ' +
        'Of providers, the tools that were accepted are listed.',
    )
    .option('--agent <name>', 'only the tools that this agent is offered')
    .option('--json', 'print one JSON array')
    .addOption(indexOption())
    .action((flags: ToolsFlags) => guarded(async () => (await commands()).listTools(flags, await tools())));
  listing
    .command('describe')
    .argument('<name>', 'the tool, in either spelling, or an alias')
    .summary('print one tool with its schemas')
    .description('Prints all facts of a tool, with its complete schemas and their hash.')
    .option('--agent <name>', 'only if this agent is offered the tool')
    .option('--json', 'print one JSON object')
    .addOption(indexOption())
    .action((name: string, _: object, command: Command) =>
      guarded(async () => (await commands()).describeOneTool(name, command.optsWithGlobals(), await tools())),
    );
  addHistory(listing, tools);
}

function addHistory(listing: Command, tools: Servers['tools']): void {
  listing
    .command('history')
    .argument('<name>', 'the tool, in either spelling')
    .argument('[version]', 'only this version, with its schemas and other facts')
    .summary('print which definitions of a tool servers had, and when')
    .description(
      'Prints each definition of a tool that a server with a governance file or database started with: version, hash of ' +
        'its schemas, first and last start. Lines of the run ledger and approvals name the version.',
    )
    .option('--json', 'print all facts, one JSON object per line')
    .addOption(indexOption())
    .action((...[name, version, , command]: [string, string | undefined, object, Command]) =>
      guarded(async () => {
        const { printToolHistory } = await import('./tools.command.js');
        return printToolHistory({ name, version }, command.optsWithGlobals(), await tools());
      }),
    );
}
