import { Option } from 'commander';
import type { Command } from 'commander';
import { MEMORY_FORMATS } from '../inner-voice/memory-formats.js';
import type { MemoryFormat } from '../inner-voice/memory-formats.js';
import { guarded, indexOption, overrides } from './command-parts.js';
import type { Common } from './command-parts.js';

export interface MemoryImportFlags extends Common {
  readonly format?: MemoryFormat | 'auto';
  readonly source?: string;
  readonly replace?: boolean;
}

const load = () => import('./memory.command.js');

function addImport(memory: Command): void {
  memory
    .command('import')
    .argument('<file>', 'rows as JSON, one a line, or the memory file of @modelcontextprotocol/server-memory')
    .summary('bring notes and a knowledge graph into memory')
    .description(
      'Reads a file into the memory that inner_voice.retrieve answers from, in one step. Rows that are there already cost ' +
        'next to nothing. Lines that can not be read are named and skipped.\n\n' +
        'A line of a .jsonl file: {"table": "thoughts" | "kg_entities" | "kg_observations", "text": "…"} and, if you like, ' +
        'id, origin, tags, is_private, created_at, embedding, embedding_model, embedding_dim. docs/memory.md says more.\n\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some lines were skipped that should be mended.',
    )
    .addOption(indexOption())
    .addOption(
      new Option('--format <format>', 'how the file is written')
        .choices(['auto', ...MEMORY_FORMATS])
        .default('auto'),
    )
    .option('--source <name>', "what this import is called (default: the file's path)")
    .option(
      '--replace',
      'remove rows of this source that the file does not hold; always so for a memory file',
    )
    .action((file: string, flags: MemoryImportFlags) =>
      guarded(async () => (await load()).memoryImport(file, flags, overrides(flags))),
    );
}

/** `pith memory …` */
export function addMemory(program: Command): void {
  const memory = program
    .command('memory')
    .summary('import and look after the notes that inner_voice.retrieve answers from')
    .description(
      'Notes and a knowledge graph beside the documents, in the index file; docs/memory.md says more.',
    );
  addImport(memory);
  memory
    .command('reembed')
    .summary('embed all rows anew, those with embeddings of other models as well')
    .description(
      'Fits a new space on all rows and embeds each of them in it. Rows that were imported with embeddings of another ' +
        'model can not be compared before that.',
    )
    .addOption(indexOption())
    .action((flags: Common) => guarded(async () => (await load()).memoryReembed(overrides(flags))));
  memory
    .command('status')
    .summary('say what memory holds, in numbers')
    .addOption(indexOption())
    .action((flags: Common) => guarded(async () => (await load()).memoryStatus(overrides(flags))));
  memory
    .command('forget')
    .argument('<source>', 'as pith memory status names it')
    .summary('remove all rows of one import')
    .addOption(indexOption())
    .action((source: string, flags: Common) =>
      guarded(async () => (await load()).memoryForget(source, overrides(flags))),
    );
}
