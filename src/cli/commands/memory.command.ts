import { resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import type { MemorySpace, MemoryStatus, ReembedReport } from '../../core/ports/memory-store.port.js';
import type { MemoryWriter } from '../../sqlite/memory/memory-writer.js';
import { EXIT } from '../failures.js';
import { type Common, type MemoryImportFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { print } from '../print.js';
import { showProgress } from '../progress.js';
import { plural, when } from '../reports/report-lines.js';
import { importMemory, type MemoryImport, type MemoryImported } from '../running/import-memory.js';
import type { LoadEngines } from '../running/session.js';

/** Number of skipped lines that are printed; further ones are only counted. */
const MAX_NAMED = 100;

const spelt = ({ provider, model, dim }: MemorySpace): string => `${provider} ${model} (${dim} dimensions)`;

interface ImportRun {
  readonly file: string;
  readonly seconds: number;
  /** The first lines that were skipped, each with file, line and reason. */
  readonly problems: readonly string[];
}

function importedLines(imported: MemoryImported, { file, seconds, problems }: ImportRun): string[] {
  const { added, updated, unchanged, removed, repeated, skipped, keptMissing, isEmpty, format } = imported;
  const unnamed = skipped - problems.length;
  return [
    `${plural(added + updated + unchanged, 'row')} of ${format} in ${file}`,
    `${added} added, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${skipped} skipped; ${seconds.toFixed(1)} s`,
    ...when(
      repeated > 0,
      `${plural(repeated, 'row')} repeated an earlier id; the last row with an id is kept`,
    ),
    ...when(keptMissing, 'Nothing was removed, because missing rows may be among the skipped lines.'),
    ...when(
      isEmpty,
      'The file has no rows. Rows imported from it earlier stay in memory; --replace removes them.',
    ),
    ...when(skipped > 0, 'Skipped:'),
    ...problems.map((problem) => `  ${problem}`),
    ...when(unnamed > 0, `  and ${unnamed} more`),
  ];
}

function reembeddedLines({ space, rows, recovered }: ReembedReport): string[] {
  return [
    `${plural(rows, 'row')} embedded with ${spelt(space)}; ${recovered} of them were not searchable before`,
  ];
}

function statusLines(
  { space, rows, privateRows, embedded, incomparable, sources }: MemoryStatus,
  file: string,
): string[] {
  const total = rows.thoughts + rows.kg_entities + rows.kg_observations;
  const kinds = [
    plural(rows.thoughts, 'thought'),
    plural(rows.kg_entities, 'entity', 'entities'),
    plural(rows.kg_observations, 'observation'),
  ].join(', ');
  return [
    `${plural(total, 'row')} in ${file}: ${kinds}; ${privateRows} private`,
    `Questions are embedded with ${spelt(space)}`,
    ...embedded.map((group) => `  ${plural(group.rows, 'row')} with ${spelt(group)}`),
    ...when(
      incomparable > 0,
      `${plural(incomparable, 'row')} not searchable (other model or dimension); run pith memory reembed`,
    ),
    ...when(sources.length > 0, 'Sources:'),
    ...sources.map((source) => `  ${source.source}: ${plural(source.rows, 'row')}`),
  ];
}

/** Opens the writer for one change of memory; an open model would keep the process alive. */
async function withWriter<T>(
  flags: Common,
  engines: LoadEngines,
  work: (writer: MemoryWriter, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom(flags));
  const { openMemoryWriter, changeIndex } = await engines();
  return changeIndex(config, async () => {
    const writer = openMemoryWriter(config);
    try {
      return await work(writer, config);
    } finally {
      await writer.close();
    }
  });
}

function progressViews(): Pick<MemoryImport, 'onRead' | 'onWrite'> & { readonly stop: () => void } {
  const reading = showProgress(process.stderr, { verb: 'reading', noun: 'KB' });
  const writing = showProgress(process.stderr, { verb: 'writing', noun: 'rows' });
  const kilobytes = (bytes: number): number => Math.ceil(bytes / 1_024);
  return {
    onRead: ({ done, total }) => reading.update({ done: kilobytes(done), total: kilobytes(total) }),
    onWrite: (progress) => {
      reading.stop();
      writing.update(progress);
    },
    stop: () => [reading, writing].forEach((view) => view.stop()),
  };
}

/** `pith memory import` */
export function memoryImport(file: string, flags: MemoryImportFlags, engines: LoadEngines): Promise<number> {
  const { format = 'auto', source = resolve(file), replace = false } = flags;
  return withWriter(flags, engines, async (writer, { index }) => {
    const { stop, ...progress } = progressViews();
    const startedAt = performance.now();
    const problems: string[] = [];
    try {
      const imported = await importMemory(writer, {
        file,
        source,
        format: format === 'auto' ? null : format,
        replace,
        now: Date.now,
        ...progress,
        onProblem: (line, reason) => {
          if (problems.length < MAX_NAMED) problems.push(`${file}:${line}: ${reason}`);
        },
      });
      stop();
      const seconds = (performance.now() - startedAt) / 1000;
      print(...importedLines(imported, { file: index.file, seconds, problems }));
      return imported.skipped > 0 ? EXIT.partial : EXIT.ok;
    } finally {
      stop();
    }
  });
}

/** `pith memory reembed` */
export function memoryReembed(flags: Common, engines: LoadEngines): Promise<void> {
  return withWriter(flags, engines, async (writer) => {
    const progress = showProgress(process.stderr, { verb: 'embedding', noun: 'rows' });
    try {
      const report = await writer.reembed(progress.update);
      progress.stop();
      print(...reembeddedLines(report));
    } finally {
      progress.stop();
    }
  });
}

/** `pith memory status` */
export async function printMemoryStatus(flags: Common, engines: LoadEngines): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const writer = (await engines()).openMemoryWriter(config);
  try {
    print(...statusLines(await writer.status(), config.index.file));
  } finally {
    await writer.close();
  }
}

/** `pith memory forget` */
export const memoryForget = (source: string, flags: Common, engines: LoadEngines): Promise<number> =>
  withWriter(flags, engines, async (writer) => {
    const removed = await writer.forget(source);
    print(removed > 0 ? `${plural(removed, 'row')} removed` : `no rows from source ${source}`);
    return removed > 0 ? EXIT.ok : EXIT.failed;
  });
