import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readInventory } from '../adapters/sqlite/read-inventory.js';
import type { Config, Environment } from '../config/config.js';
import { ensureSecretFile } from '../config/server-secret.js';
import { InvalidArgumentError } from '../errors.js';
import { IngestService } from '../ingest/ingest.service.js';
import type { IngestReport } from '../ingest/ingest.service.js';
import { resolveCorpus } from '../ingest/resolve-corpus.js';
import type { CorpusOptions } from '../ingest/resolve-corpus.js';
import type { MirrorProgress } from '../ingest/built-index.js';
import { withMirrors } from '../open-engines.js';
import { configuredEmbedder, openIndexWriter } from '../open-models.js';
import { filledEngines } from './engine-places.js';
import { EXIT } from './failures.js';
import { gitCommit } from './git-commit.js';
import { loadConfig } from './load-config.js';
import { metadataJson } from './metadata-json.js';
import type { IndexFlags } from './program.js';
import { showProgress } from './progress.js';
import type { ProgressView } from './progress.js';
import { reportLines } from './report-lines.js';
import { watchFolder } from './watch-folder.js';

/** A bar for each engine that is filled. */
function mirrorProgress() {
  const views = new Map<string, ProgressView>();
  return {
    update: ({ engine, done, total }: MirrorProgress) => {
      const view =
        views.get(engine) ?? showProgress(process.stderr, { verb: `filling ${engine}`, noun: 'items' });
      views.set(engine, view);
      view.update({ done, total });
    },
    stop: () => views.forEach((view) => view.stop()),
  };
}

/** Runs one index run with progress on stderr. */
export async function runIndex(
  config: Config,
  corpus: CorpusOptions,
  rebuild: boolean,
): Promise<IngestReport> {
  const progress = showProgress(process.stderr);
  const mirroring = mirrorProgress();
  const vectors = { asked: 0, known: 0 };
  const note = (asked: number, known: number): void => void Object.assign(vectors, { asked, known });
  const writer = withMirrors(config, openIndexWriter(config, note), mirroring.update);
  try {
    const report = await new IngestService(writer).run(await resolveCorpus(corpus), {
      rebuild,
      maxFileBytes: config.index.maxFileBytes,
      onProgress: progress.update,
      onRebuild: (reason) => process.stderr.write(`Building the index from nothing, since ${reason}.\n`),
    });
    ensureSecretFile(config.index.file);
    if (vectors.asked + vectors.known > 0)
      process.stderr.write(`Vectors: ${vectors.asked} made by the model, ${vectors.known} known already.\n`);
    return report;
  } finally {
    progress.stop();
    mirroring.stop();
    await writer.close();
  }
}

/** Writes what the index holds beside it, for tools that read the `metadata.json` of docs-mcp. */
async function writeMetadata(config: Config, folder: string, out: string): Promise<void> {
  const { profile } = configuredEmbedder(config);
  const json = metadataJson(readInventory(config.index.file, profile), profile, gitCommit(resolve(folder)));
  try {
    await writeFile(out, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    throw new InvalidArgumentError(`${out} can't be written.`, {
      reason: 'metadata_not_writable',
      hint: 'Give a file in a folder that is there; the index itself is done.',
      cause: error,
    });
  }
}

/** `pith index` */
export async function indexFolder(
  folder: string,
  flags: IndexFlags,
  overrides: Environment,
): Promise<number> {
  const config = loadConfig(overrides);
  const { project, environment, repository, siteUrl } = flags;
  const corpus = { folder, project, environment, repository, siteUrls: siteUrl };
  const run = async (rebuild: boolean): Promise<number> => {
    const startedAt = performance.now();
    const report = await runIndex(config, corpus, rebuild);
    const seconds = (performance.now() - startedAt) / 1000;
    if (flags.metadataOut !== undefined) await writeMetadata(config, folder, flags.metadataOut);
    const places = { file: config.index.file, engines: filledEngines(config) };
    process.stdout.write(`${reportLines(report, places, seconds).join('\n')}\n`);
    return [...report.skipped, ...report.remarks].some(({ isProblem }) => isProblem) ? EXIT.partial : EXIT.ok;
  };
  const exit = await run(flags.rebuild ?? false);
  if (!flags.watch) return exit;
  await watchFolder(folder, () => run(false));
  return EXIT.ok;
}
