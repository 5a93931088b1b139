import { resolve } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import type { MemoryWriter } from '../../core/ports/memory-writer.port.js';
import { openMemoryWriter } from '../../engines/open-memory.js';
import { importMemory, type MemoryImport } from '../../memory/rows/import-memory.js';
import { EXIT } from '../failures.js';
import { loadConfig } from '../load-config.js';
import { showProgress } from '../progress.js';
import { importedLines, reembeddedLines, statusLines } from '../reports/memory-report.js';
import { plural } from '../reports/report-lines.js';
import type { MemoryImportFlags } from './memory-program.js';

/** Number of skipped lines that are printed; further ones are only counted. */
const MAX_NAMED = 100;

const print = (lines: readonly string[]): boolean => process.stdout.write(`${lines.join('\n')}\n`);

/** Progress of reading the file, then of writing its rows. */
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
export async function memoryImport(
  file: string,
  { format = 'auto', source, replace = false }: MemoryImportFlags,
  overrides: Environment,
): Promise<number> {
  const config = loadConfig(overrides);
  const { index } = config;
  const writer = openMemoryWriter(config);
  const { stop, ...progress } = progressViews();
  const startedAt = performance.now();
  const problems: string[] = [];
  try {
    const imported = await importMemory(writer, {
      file,
      source: source ?? resolve(file),
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
    print(importedLines(imported, { file: index.file, seconds, problems }));
    return imported.skipped > 0 ? EXIT.partial : EXIT.ok;
  } finally {
    stop();
    await writer.close();
  }
}

/** Opens the writer for one piece of work; a model that stays open would keep the process alive. */
async function withWriter<T>(config: Config, work: (writer: MemoryWriter) => Promise<T>): Promise<T> {
  const writer = openMemoryWriter(config);
  try {
    return await work(writer);
  } finally {
    await writer.close();
  }
}

/** `pith memory reembed` */
export async function memoryReembed(overrides: Environment): Promise<number> {
  const progress = showProgress(process.stderr, { verb: 'embedding', noun: 'rows' });
  try {
    const report = await withWriter(loadConfig(overrides), (writer) => writer.reembed(progress.update));
    progress.stop();
    print(reembeddedLines(report));
    return EXIT.ok;
  } finally {
    progress.stop();
  }
}

/** `pith memory status` */
export async function printMemoryStatus(overrides: Environment): Promise<number> {
  const config = loadConfig(overrides);
  const status = await withWriter(config, (writer) => writer.status());
  print(statusLines(status, config.index.file));
  return EXIT.ok;
}

/** `pith memory forget` */
export async function memoryForget(source: string, overrides: Environment): Promise<number> {
  const removed = await withWriter(loadConfig(overrides), (writer) => writer.forget(source));
  print([removed > 0 ? `${plural(removed, 'row')} removed` : `no rows from source ${source}`]);
  return removed > 0 ? EXIT.ok : EXIT.failed;
}
