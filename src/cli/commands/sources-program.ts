import { type Command, Option } from 'commander';
import { collect, guarded, indexOption } from '../command-parts.js';
import type { AddFlags, SyncFlags } from '../flags.js';
import type { Servers } from './serve.command.js';

const folderOption = (): Option =>
  new Option('--folder <folder>', 'the folder with the list, a .pith.yaml').default(
    '.',
    'the working directory',
  );

const jsonOption = (): Option => new Option('--json', 'print the result or the error as one line of JSON');
const removalOption = (): Option =>
  new Option('--accept-removal', 'remove the pages of a source that has lost half of them, or is gone');

function addAdd(program: Command, servers: Servers): void {
  const add = program
    .command('add')
    .argument('<address>', 'a folder, a file, an archive, or the address of a repository or a site')
    .summary('add a source to the list, and index it')
    .description(
      'Adds a source to the list in .pith.yaml, reads it and indexes it with the other sources of the list.\n\n' +
        'A repository is https://HOST/NAME.git#BRANCH:FOLDER, git@HOST:NAME.git or file:///PATH.git.',
    )
    .addOption(folderOption())
    .addOption(indexOption());
  addEntryOptions(add)
    .addOption(jsonOption())
    .action((address: string, flags: AddFlags) =>
      guarded(
        async () => (await import('./sources.command.js')).addSource(address, flags, await servers.engines()),
        flags.json,
      ),
    );
}

/** The options that become an entry of the list. */
const addEntryOptions = (add: Command): Command =>
  add
    .option('--name <name>', 'its name; paths of its documents begin with it (default: made of the address)')
    .addOption(
      new Option('--kind <kind>', 'what the address is (default: by the address)').choices([
        ...['folder', 'file', 'archive', 'git', 'site'],
      ]),
    )
    .option('--branch <name>', 'branch or tag of a repository')
    .option('--path <place>', 'folder or file in a repository')
    .option('--include <glob>', 'files to index; repeatable', collect)
    .option('--exclude <glob>', 'files to leave out; repeatable', collect)
    .option('--doc-tag <tag>', 'doc tag of its documents (default: its name)')
    .option('--repository <name>', 'repository of its documents (default: its address)')
    .option('--doc-version <version>', 'metadata `version` of its documents')
    .option('--trust', 'its documents are trusted; those of addresses are not by default')
    .option('--secret <variable>', 'variable of the environment with its token')
    .option('--every <interval>', 'how often a server looks for changes, such as 15m')
    .option('--hook-secret <variable>', 'variable of the environment with the secret of its push webhook')
    .option('--allow-host <host>', 'host inside your networks that it may ask; repeatable', collect);

function addList(program: Command, servers: Servers): void {
  program
    .command('sources')
    .summary('list the sources with their state and age')
    .description(
      'Lists the sources of a list: state, age, number of pages, and what was refused. Asks no source.',
    )
    .addOption(folderOption())
    .addOption(indexOption())
    .addOption(jsonOption())
    .action((flags: SyncFlags) =>
      guarded(async () => (await import('./sources.command.js')).listSources(flags), flags.json),
    );
  program
    .command('remove')
    .argument('<name>', 'the name of a source; `pith sources` lists them')
    .summary('remove a source from the list, and its pages from the index')
    .addOption(folderOption())
    .addOption(indexOption())
    .addOption(jsonOption())
    .action((name: string, flags: SyncFlags) =>
      guarded(
        async () => (await import('./sources.command.js')).removeSource(name, flags, await servers.engines()),
        flags.json,
      ),
    );
}

function addSync(program: Command, servers: Servers): void {
  program
    .command('sync')
    .argument('[name]', 'bring only this source up to date')
    .summary('bring the index up to date with the list of sources')
    .description(
      'Asks the sources of the list for changes and makes the index equal to the list. A source that is gone, or has lost ' +
        'half of its pages, keeps its old pages until you accept that.\n\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but a source or a file has a problem.',
    )
    .addOption(folderOption())
    .addOption(indexOption())
    .option('--dry-run', 'say what would change, and change nothing')
    .addOption(removalOption())
    .addOption(jsonOption())
    .action((name: string | undefined, flags: SyncFlags) =>
      guarded(
        async () => (await import('./sources.command.js')).syncList(name, flags, await servers.engines()),
        flags.json,
      ),
    );
}

/** Adds the commands of the list of sources. */
export function addSources(program: Command, servers: Servers): void {
  addAdd(program, servers);
  addList(program, servers);
  addSync(program, servers);
}
