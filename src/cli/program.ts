// src/cli: the command line and its own commands, which call tools through the same application as the servers
import { Command, Option } from 'commander';
import { VERSION } from '../core/package-facts.js';
import { tell } from '../core/stderr.js';
import {
  allowHostOption,
  collect,
  docsOption,
  engineOption,
  guarded,
  indexOption,
  readPaths,
  secretOption,
} from './command-parts.js';
import { addDiagnostics } from './commands/diagnostics-program.js';
import { addDoctor, addSkill } from './commands/hosts-program.js';
import { addMemory } from './commands/memory-program.js';
import type { Servers } from './commands/serve.command.js';
import { addSources } from './commands/sources-program.js';
import { EXIT } from './failures.js';
import type { AskFlags, Common, EvalFlags, IndexFlags, RestoreFlags, StartFlags } from './flags.js';

const EXAMPLES = `
Two commands to a cited answer from your own documents:
  $ pith index ./docs
  $ pith ask "How do I rotate the signing key?"

Then let your agent ask:
  $ pith doctor          prints the configuration for eight hosts, including Claude, VS Code and Cursor

Settings are environment variables (PITH_…, MCP_…). docs/settings.md lists them.`;

function addServers(program: Command, servers: Servers): void {
  program
    .command('stdio')
    .summary('serve MCP over stdin and stdout, as desktop hosts start it')
    .description(
      'Serves MCP over stdin and stdout. Hosts start this command; `pith doctor` prints their configuration.',
    )
    .addOption(docsOption())
    .addOption(allowHostOption())
    .addOption(secretOption())
    .addOption(indexOption())
    .action((flags: StartFlags) =>
      guarded(async () => (await import('./commands/serve.command.js')).serve('stdio', servers, flags)),
    );
  program
    .command('http')
    .summary('serve MCP over Streamable HTTP; listens on loopback by default')
    .description(
      'Serves MCP at http://HOST:PORT/mcp. Any address other than loopback requires PITH_HTTP_TOKEN or PITH_ACCESS_FILE.',
    )
    .addOption(docsOption())
    .addOption(allowHostOption())
    .addOption(secretOption())
    .addOption(indexOption())
    .option('--port <number>', 'port to listen on (PITH_HTTP_PORT; default 7484; 0 chooses a free port)')
    .option('--host <address>', 'address to listen on (PITH_HTTP_HOST; default 127.0.0.1)')
    .action((flags: StartFlags) =>
      guarded(async () => (await import('./commands/serve.command.js')).serve('http', servers, flags)),
    );
}

function addIndex(program: Command, servers: Servers): void {
  program
    .command('index')
    .argument('<source...>', 'folders, files, archives, and addresses of repositories and sites')
    .summary('index folders of Markdown, RST, AsciiDoc, HTML, and other sources')
    .description(
      'Reads every document in the sources and publishes the index in one step. Unchanged files are not read again, and ' +
        'deleted files are removed. Searches continue during the run. A .pith.yaml file in a folder configures it. ' +
        'With several sources, ids begin with their names.\n\n' +
        'A repository is https://HOST/NAME.git#BRANCH:FOLDER, git@HOST:NAME.git or file:///PATH.git.\n\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some files were skipped and need fixing, or a ' +
        'source has a problem.',
    )
    .addOption(indexOption())
    .option('--project <id>', 'project id (default: from the manifest, or the folder name)')
    .option('--environment <name>', 'environment, such as dev or prod (default: prod)')
    .option('--repository <name>', 'repository of documents without one (default: name of the git root)')
    .option('--site-url <url>', 'URL where the documents are published; repeatable', collect)
    .addOption(allowHostOption())
    .addOption(secretOption())
    .option('--accept-removal', 'remove the pages of a source that has lost half of them, or is gone')
    .addOption(new Option('--origin <line>', 'what the folder is a copy of; set by servers').hideHelp())
    .addOption(new Option('--settings <file>', 'used instead of .pith.yaml; set by servers').hideHelp())
    .option('--allow-partial', 'end with 0 instead of 3')
    .option('--metadata-out <file>', 'also write the taxonomy and titles as a metadata.json for docs-mcp')
    .option('--no-ignore', 'do not apply .gitignore and .ignore files')
    .addOption(engineOption())
    .option('--rebuild', 'build the index from scratch')
    .option('--watch', 'keep running and index again when a document changes')
    .option('--json', 'print the report or the error as one line of JSON')
    .action((sources: string[], flags: IndexFlags) =>
      guarded(
        async () =>
          (await import('./commands/index.command.js')).indexFolders(sources, flags, await servers.engines()),
        flags.json,
      ),
    );
}

function addAsk(program: Command, { inProcess: open }: Servers): void {
  program
    .command('ask')
    .argument('<question>', 'the question, in quotes')
    .summary('answer one question with verbatim, cited evidence')
    .description('Prints the sentences that answer the question, each with its source.')
    .addOption(indexOption())
    .option('-k, --keyword <word>', 'a word that the documents probably use; repeatable', collect)
    .option('--json', 'print the structured result that agents receive')
    .action((question: string, flags: AskFlags) =>
      guarded(async () => (await import('./commands/ask.command.js')).ask(question, flags, open)),
    );
}

function addEval(program: Command, { inProcess: open, engines }: Servers): void {
  program
    .command('eval')
    .argument('<set...>', 'golden sets (.jsonl files)')
    .summary('measure the quality of answers on test questions')
    .description(
      'Asks every question of a set through the same services as the tools and prints the figures. Writes a report and the ' +
        'raw run to reports/eval in the folder of the index.\n\n' +
        'Exit codes: 0 done, 1 failed or below a floor, 2 wrong usage.',
    )
    .addOption(indexOption())
    .option('--corpus <folder>', 'index this folder for the run and use it instead of --index')
    .option(
      '--keywords <file>',
      'keywords and parts by question id (.jsonl), as a calling agent would send them',
    )
    .addOption(
      new Option('--mode <mode>', 'how sections are ranked').choices(['auto', 'vector_only', 'hybrid_local']),
    )
    .option('--baseline <run>', 'saved run (.json) of the same set to compare with; repeatable', collect)
    .option(
      '--out <folder>',
      'folder for the report and the run (default: reports/eval in the folder of the index)',
    )
    .option('--set-floor <list>', 'exit with 1 if a figure is worse, for example answered=.5,page=.8')
    .action((sets: string[], flags: EvalFlags) =>
      guarded(async () =>
        (await import('./commands/eval.command.js')).evaluate(sets, flags, { open, engines }),
      ),
    );
}

function addStart(program: Command, servers: Servers): void {
  program
    .command('start')
    .summary('index, ask one question, then serve MCP over HTTP')
    .description('Indexes documents, asks one question and serves the index over HTTP on loopback.')
    .addOption(indexOption())
    .option('--docs <source>', "the folder, file or address to index (default: Pith's own documentation)")
    .addOption(allowHostOption())
    .addOption(secretOption())
    .option('--port <number>', 'port to listen on (PITH_HTTP_PORT; default 7484)')
    .option('--host <address>', 'address to listen on (PITH_HTTP_HOST; default 127.0.0.1)')
    .action((flags: StartFlags) =>
      guarded(async () => (await import('./commands/start.command.js')).start(servers, flags)),
    );
}

function addBackup(program: Command, servers: Servers): void {
  program
    .command('backup')
    .argument('<file>', 'the archive to write (.tar.gz)')
    .summary('save what agents and operators have stored, in one file')
    .description(
      'Saves everything that is not in the documents: run ledger, approvals, definitions, work of agents, memory, and the ' +
        'names of sources, models and settings. Servers can go on. Secrets are not saved. State in PostgreSQL is not ' +
        'saved: use pg_dump.',
    )
    .addOption(indexOption())
    .action((file: string, flags: Common) =>
      guarded(async () => (await import('./commands/backup.command.js')).backUp(file, flags, servers)),
    );
  program
    .command('restore')
    .argument('<file>', 'an archive that pith backup has made')
    .summary('put the content of a backup in place')
    .description(
      'Checks the whole archive, then puts its files beside the index. Needs the secret of the server that made it, ' +
        'and stops if a server is running. What --replace replaces is kept under another name.',
    )
    .addOption(indexOption())
    .option('--replace', 'replace what is there')
    .action((file: string, flags: RestoreFlags) =>
      guarded(async () => (await import('./commands/backup.command.js')).restore(file, flags, servers)),
    );
}

/** Gives all commands the settings of their parent, and has them read paths; errors name the help of the command that was typed. */
function inheritSettings(parent: Command, name: string): void {
  for (const command of parent.commands) {
    const typed = `${name} ${command.name()}`;
    readPaths(command);
    command.copyInheritedSettings(parent).showHelpAfterError(`(${typed} --help explains its options)`);
    inheritSettings(command, typed);
  }
}

/** All commands with their options. */
export function commandLine(servers: Servers): Command {
  const program = new Command('pith')
    .description('The essential part of your documents, for agents: verbatim, cited evidence over MCP.')
    .version(VERSION)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(pith --help explains all commands)')
    .configureOutput({ writeErr: (text) => tell(...text.trimEnd().split('\n')) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));
  addIndex(program, servers);
  addSources(program, servers);
  addAsk(program, servers);
  addServers(program, servers);
  addDoctor(program, servers);
  addSkill(program, servers);
  addStart(program, servers);
  addEval(program, servers);
  addMemory(program, servers);
  addBackup(program, servers);
  addDiagnostics(program, servers);
  for (const add of servers.features.flatMap((feature) => feature.add)) add(program, servers);
  inheritSettings(program, 'pith');
  return program;
}

/** The command line. Sets the exit code; nothing is thrown. */
export async function runCli(argv: readonly string[], servers: Servers): Promise<void> {
  await commandLine(servers).parseAsync([...argv]);
}
