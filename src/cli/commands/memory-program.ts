import { type Command, Option } from 'commander';
import { MEMORY_FORMATS } from '../../memory/rows/memory-formats.js';
import { guarded, indexOption } from '../command-parts.js';
import type { Common, MemoryImportFlags } from '../flags.js';
import type { LoadEngines } from '../running/session.js';

const load = () => import('./memory.command.js');

function addImport(memory: Command, engines: LoadEngines): void {
  memory
    .command('import')
    .argument('<file>', 'JSON lines, or the memory file of @modelcontextprotocol/server-memory')
    .summary('import notes and a knowledge graph')
    .description(
      'Imports a file into the memory that inner_voice.retrieve searches. The import becomes visible in one step. Unchanged ' +
        'rows are skipped quickly. Invalid lines are listed and skipped.\n\n' +
        'A line of a .jsonl file: {"table": "thoughts" | "kg_entities" | "kg_observations", "text": "…"} and, optionally, ' +
        'id, origin, tags, is_private, created_at, embedding, embedding_model, embedding_dim. See docs/memory.md.\n\n' +
        'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some lines were skipped and need fixing.',
    )
    .addOption(indexOption())
    .addOption(
      new Option('--format <format>', 'format of the file')
        .choices(['auto', ...MEMORY_FORMATS])
        .default('auto'),
    )
    .option('--source <name>', 'name of this import (default: the path of the file)')
    .option('--replace', 'remove rows of this source that are not in the file; memory files always do')
    .action((file: string, flags: MemoryImportFlags) =>
      guarded(async () => (await load()).memoryImport(file, flags, engines)),
    );
}

/** `pith memory …` */
export function addMemory(program: Command, { engines }: { readonly engines: LoadEngines }): void {
  const memory = program
    .command('memory')
    .summary('import and manage the notes that inner_voice.retrieve searches')
    .description(
      'Notes and a knowledge graph, kept in the index file next to the documents. See docs/memory.md.',
    );
  addImport(memory, engines);
  memory
    .command('reembed')
    .summary('compute all embeddings again, including those of other models')
    .description(
      'Embeds every row with the configured embedder (SURR_EMBED_PROVIDER). Until then, rows with embeddings of another ' +
        'model are not searched.',
    )
    .addOption(indexOption())
    .action((flags: Common) => guarded(async () => (await load()).memoryReembed(flags, engines)));
  memory
    .command('status')
    .summary('show the number of rows in memory')
    .addOption(indexOption())
    .action((flags: Common) => guarded(async () => (await load()).printMemoryStatus(flags, engines)));
  memory
    .command('forget')
    .argument('<source>', 'name of the import, as shown by pith memory status')
    .summary('remove all rows of one import')
    .addOption(indexOption())
    .action((source: string, flags: Common) =>
      guarded(async () => (await load()).memoryForget(source, flags, engines)),
    );
}
