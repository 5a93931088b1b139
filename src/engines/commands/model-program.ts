import type { Command } from 'commander';
import { collect, guarded, indexOption } from '../../cli/command-parts.js';

const load = () => import('./model.command.js');

/** `pith model …` */
export function addModel(program: Command): void {
  const model = program
    .command('model')
    .summary('install the encoder, which also finds sections by meaning')
    .description(
      'Installs or removes all-MiniLM-L6-v2, a small sentence encoder for English. `pith index` uses it when it is installed. ' +
        'See docs/models.md.',
    );
  model
    .command('install')
    .summary('install the encoder (23 MB) and its runtime (14 MB)')
    .description(
      'Downloads the encoder from the Hugging Face Hub and its runtime, WebAssembly, from the npm registry. Only files with ' +
        'the expected SHA-256 are installed. 57 MB are downloaded. Nothing of them runs during the installation.',
    )
    .addOption(indexOption())
    .option(
      '--from <source>',
      'take the files from here instead: a file, a folder, an archive (.zip, .whl, .jar, .tgz) or its URL; repeatable',
      collect,
    )
    .action(({ from }: { from?: readonly string[] }) =>
      guarded(async () => (await load()).installModel(from ?? [])),
    );
  model
    .command('remove')
    .summary('remove the encoder and its runtime')
    .addOption(indexOption())
    .action(() => guarded(async () => (await load()).removeModel()));
}
