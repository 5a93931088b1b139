import type { Command } from 'commander';
import { guarded, indexOption } from '../../cli/command-parts.js';
import type { Servers } from '../../cli/commands/serve.command.js';
import type { AcceptFlags, ProviderFlags } from './flags.js';

const load = () => import('./providers.command.js');

/** Adds `pith providers`. */
export function addProviders(program: Command, { tools }: Servers): void {
  const providers = program
    .command('providers')
    .summary('accept the tools of external MCP servers')
    .description(
      'Tools of external servers are callable after an operator has accepted their definitions. docs/providers.md describes it.',
    );
  providers
    .command('list')
    .summary('print every known tool with its state')
    .description(
      'Prints every tool that a provider lists or that was accepted, with its state, and providers that never connected.',
    )
    .addOption(indexOption())
    .option('--json', 'print one line of JSON for each tool')
    .action((flags: ProviderFlags) =>
      guarded(async () => (await load()).listProviders(flags, await tools())),
    );
  providers
    .command('diff')
    .argument('[name]', 'the provider (default: all)')
    .summary('print what waits for acceptance')
    .description(
      'Prints new definitions, and the differences of changed ones. Characters that are not seen are escaped.',
    )
    .addOption(indexOption())
    .action((name: string | undefined, flags: ProviderFlags) =>
      guarded(async () => (await load()).diffProviders(name, flags, await tools())),
    );
  addAccept(providers, tools);
}

function addAccept(providers: Command, tools: Servers['tools']): void {
  providers
    .command('accept')
    .argument('<name>', 'the provider')
    .summary('accept definitions as they were shown')
    .description(
      'Accepts what `pith providers diff` has shown. Fails if it has changed since.\n\nExit codes: 0 accepted, 1 not accepted.',
    )
    .option('--tool <tool>', 'one tool, as the provider names it (default: everything that waits)')
    .requiredOption('--hash <hash>', 'the hash that diff has printed')
    .addOption(indexOption())
    .action((name: string, flags: AcceptFlags) =>
      guarded(async () => (await load()).acceptProvider(name, flags, await tools())),
    );
}
