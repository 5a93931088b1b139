import { Command, Option } from 'commander';
import type { SearchMode } from '../kb/rank-sections.js';
import { VERSION } from '../package-facts.js';
import { collect, engineOption, engineOverrides, guarded, indexOption, overrides } from './command-parts.js';
import type { Engine } from './command-parts.js';
import type { Common, HttpFlags } from './command-parts.js';
import { addDiagnostics } from './diagnostics-program.js';
import { EXIT } from './failures.js';
import { addMemory } from './memory-program.js';

export interface IndexFlags extends Common {
  readonly project?: string;
  readonly environment?: string;
  readonly repository?: string;
  readonly siteUrl?: readonly string[];
  readonly rebuild?: boolean;
  readonly watch?: boolean;
  readonly metadataOut?: string;
  readonly engine?: readonly Engine[];
}

export interface AskFlags extends Common {
  readonly keyword?: readonly string[];
  readonly json?: boolean;
}

export interface StartFlags extends HttpFlags {
  readonly docs?: string;
}

export interface EvalFlags extends Common {
  readonly corpus?: string;
  readonly keywords?: string;
  readonly mode?: SearchMode;
  readonly baseline?: readonly string[];
  readonly out?: string;
  readonly setFloor?: string;
}

const EXAMPLES = `
Two commands to a cited answer from your own documents:
  $ pith index ./docs
  $ pith ask "How do I rotate the signing key?"

Then let your agent ask:
  $ pith doctor          prints ready-made configuration for Claude Desktop, VS Code, Cursor and Claude Code

Every setting is an environment variable, PITH_… or MCP_…; the README lists them.`;

function addServers(program: Command): void {
  program
    .command('stdio')
    .summary('serve MCP over stdin and stdout, as desktop hosts start it')
    .description(
      'Serves MCP over stdin and stdout. Hosts start it themselves; `pith doctor` prints what to tell them.',
    )
    .addOption(indexOption())
    .action((flags: Common) =>
      guarded(async () => (await import('./serve.command.js')).serveStdio(overrides(flags))),
    );
  program
    .command('http')
    .summary('serve MCP over Streamable HTTP, on loopback unless told otherwise')
    .description(
      'Serves MCP at http://HOST:PORT/mcp. Beyond loopback it wants a bearer token in PITH_HTTP_TOKEN.',
    )
    .addOption(indexOption())
    .option('--port <number>', 'port to listen on (PITH_HTTP_PORT; default 7484; 0 takes a free one)')
    .option('--host <address>', 'address to listen on (PITH_HTTP_HOST; default 127.0.0.1)')
    .action((flags: HttpFlags) =>
      guarded(async () => (await import('./serve.command.js')).serveHttp(overrides(flags))),
    );
}

function addIndex(program: Command): void {
  program
    .command('index')
    .argument('<folder>', 'the folder that holds your documents')
    .summary('index a folder of Markdown, MDX, HTML and text')
    .description(
      'Reads every document below the folder and publishes the index in one step. Unchanged files cost a hash, deleted ' +
        'ones disappear, and whoever searches meanwhile is not disturbed. A .pith.yaml in the folder says more.\n\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some files were skipped that should be mended.',
    )
    .addOption(indexOption())
    .option('--project <id>', "project id (default: the manifest's, else the folder's name)")
    .option('--environment <name>', 'environment, such as dev or prod (default: prod)')
    .option('--repository <name>', 'repository of documents that name none (default: the git root)')
    .option('--site-url <url>', 'where the documents are published; repeatable', collect)
    .option('--metadata-out <file>', 'also write what the index holds as the metadata.json of docs-mcp')
    .addOption(engineOption())
    .option('--rebuild', 'build the index from nothing, whatever it holds')
    .option('--watch', 'stay, and index again whenever a document changes')
    .action((folder: string, flags: IndexFlags) =>
      guarded(async () =>
        (await import('./index.command.js')).indexFolder(folder, flags, {
          ...overrides(flags),
          ...engineOverrides(flags.engine),
        }),
      ),
    );
}

function addAsk(program: Command): void {
  program
    .command('ask')
    .argument('<question>', 'what you want to know, in quotes')
    .summary('answer one question with verbatim, cited evidence')
    .description('Prints the sentences that answer the question, each with where it stands.')
    .addOption(indexOption())
    .option('-k, --keyword <word>', 'a word that the documents probably use; repeatable', collect)
    .option('--json', 'print the result as agents get it')
    .action((question: string, flags: AskFlags) =>
      guarded(async () => (await import('./ask.command.js')).ask(question, flags, overrides(flags))),
    );
}

function addEval(program: Command): void {
  program
    .command('eval')
    .argument('<set...>', 'golden sets (.jsonl), BEIR folders, evidence folders')
    .summary('measure the quality of answers on sets of questions')
    .description(
      'Asks every question of a set through the services that the tools use, prints the figures and writes a report and ' +
        'the run to reports/eval. A golden set is asked of --index, or of --corpus; the other sets bring their documents.\n\n' +
        'Exit codes: 0 done, 1 failed or below a floor, 2 wrong usage.',
    )
    .addOption(indexOption())
    .option('--corpus <folder>', 'index this folder for the run and ask the golden sets of it')
    .option(
      '--keywords <file>',
      'keywords and parts by question id (.jsonl), as a calling agent would send them',
    )
    .addOption(
      new Option('--mode <mode>', 'how sections are ranked').choices(['auto', 'vector_only', 'hybrid_local']),
    )
    .option('--baseline <run>', 'compare with this saved run (.json) of the same set; repeatable', collect)
    .option('--out <folder>', 'where the report and the run are written (default: reports/eval)')
    .option('--set-floor <list>', 'end with 1 when a figure is worse than this: answered=.5,page=.8')
    .action((sets: string[], flags: EvalFlags) =>
      guarded(async () => (await import('./eval.command.js')).evaluate(sets, flags, overrides(flags))),
    );
}

function addRest(program: Command): void {
  program
    .command('doctor')
    .summary('check this installation and print host configuration')
    .description(
      'Checks Node, the configuration and the index, and prints ready-made configuration for hosts.',
    )
    .addOption(indexOption())
    .action((flags: Common) =>
      guarded(async () => (await import('./doctor.command.js')).doctor(overrides(flags))),
    );
  program
    .command('start')
    .summary('index, ask one question, then serve MCP over HTTP')
    .description(
      'The whole tour: indexes a folder, asks it one question, and serves it over HTTP on loopback.',
    )
    .addOption(indexOption())
    .option('--docs <folder>', "the folder to index (default: Pith's own documentation)")
    .option('--port <number>', 'port to listen on (PITH_HTTP_PORT; default 7484)')
    .option('--host <address>', 'address to listen on (PITH_HTTP_HOST; default 127.0.0.1)')
    .action((flags: StartFlags) =>
      guarded(async () => (await import('./start.command.js')).start(flags, overrides(flags))),
    );
}

/** The command line. Sets the exit code; nothing is thrown. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('pith')
    .description('The essential part of your documents, for agents: verbatim, cited evidence over MCP.')
    .version(VERSION)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(pith --help explains all commands)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));
  addIndex(program);
  addAsk(program);
  addServers(program);
  addRest(program);
  addEval(program);
  addMemory(program);
  addDiagnostics(program);
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const nested of command.commands) nested.copyInheritedSettings(program);
  }
  await program.parseAsync([...argv]);
}
