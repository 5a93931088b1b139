import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import { ensureSecretFile } from '../../config/server-secret.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import { withMirrors } from '../../engines/open-engines.js';
import { configuredEmbedder, openIndexWriter } from '../../engines/open-models.js';
import { readInventory } from '../../engines/sqlite/index/read-inventory.js';
import { readOwner } from '../../engines/sqlite/read-owner.js';
import type { MirrorProgress } from '../../ingest/built-index.js';
import { ingestCorpus, type IngestReport } from '../../ingest/ingest-corpus.js';
import { type CorpusOptions, resolveCorpus } from '../../ingest/manifest/resolve-corpus.js';
import type { IndexFlags } from '../command-parts.js';
import { EXIT } from '../failures.js';
import { loadConfig } from '../load-config.js';
import { metadataJson } from '../metadata-json.js';
import { onInterrupt } from '../on-interrupt.js';
import { type ProgressView, showProgress, showSteps } from '../progress.js';
import { filledEngines, missingSettings } from '../reports/engine-places.js';
import { reportJson, reportLines, watchLine } from '../reports/report-lines.js';
import { gitCommit } from '../running/git-commit.js';
import { watchFolders } from '../running/watch-folders.js';

/** A progress bar for each engine that is filled. */
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
  let files = 0;
  const publishing = showSteps(process.stderr, () => files);
  const mirroring = mirrorProgress();
  const stop = (): void => [progress, publishing, mirroring].forEach((view) => view.stop());
  const release = onInterrupt(stop);
  const vectors = { requested: 0, known: 0 };
  const note = (requested: number, known: number): void => void Object.assign(vectors, { requested, known });
  const writer = withMirrors(config, openIndexWriter(config, note), mirroring.update);
  try {
    const report = await ingestCorpus(writer, await resolveCorpus(corpus), {
      rebuild,
      maxFileBytes: config.index.maxFileBytes,
      onProgress: (done) => {
        files = done.total;
        progress.update(done);
      },
      onStep: (step) => {
        if (step.done === 0) progress.stop();
        publishing.update(step);
      },
      onRebuild: (reason) => tell(`Rebuilding the whole index: ${reason}.`),
    });
    ensureSecretFile(config.index.file);
    if (vectors.requested + vectors.known > 0)
      tell(`Vectors: ${vectors.requested} computed by the model, ${vectors.known} reused.`);
    return report;
  } finally {
    release();
    stop();
    await writer.close();
  }
}

/** Writes a summary of the index, for tools that read the `metadata.json` of docs-mcp. */
async function writeMetadata(config: Config, folder: string, out: string): Promise<void> {
  const { profile } = configuredEmbedder(config);
  const json = metadataJson(readInventory(config.index.file, profile), profile, gitCommit(resolve(folder)));
  try {
    await writeFile(out, `${JSON.stringify(json, null, 2)}\n`);
  } catch (error) {
    throw new InvalidArgumentError(`${out} can't be written.`, {
      reason: 'metadata_not_writable',
      hint: 'Give a path in an existing folder. The index itself is complete.',
      cause: error,
    });
  }
}

/** `pith index` */
export async function indexFolders(
  folders: readonly string[],
  flags: IndexFlags,
  overrides: Environment,
): Promise<number> {
  const config = loadConfig(overrides);
  const { project, environment, repository, siteUrl } = flags;
  const [folder = '.', ...otherFolders] = folders;
  // Without --no-ignore the manifest decides.
  const usesIgnoreFiles = flags.ignore ? undefined : false;
  const options = { project, environment, repository, siteUrls: siteUrl, usesIgnoreFiles };
  const corpus = { folder, otherFolders, ...options };
  const { file } = config.index;
  const engines = filledEngines(config);
  const run = async (rebuild: boolean): Promise<{ report: IngestReport; seconds: number }> => {
    const startedAt = performance.now();
    const report = await runIndex(config, corpus, rebuild);
    const seconds = (performance.now() - startedAt) / 1000;
    if (flags.metadataOut !== undefined) await writeMetadata(config, folder, flags.metadataOut);
    return { report, seconds };
  };
  const { report, seconds } = await run(flags.rebuild ?? false);
  const settings = missingSettings(config, readOwner(file, configuredEmbedder(config).profile));
  const places = { file, engines, settings };
  const text = flags.json
    ? reportJson(report, places, seconds)
    : reportLines(report, places, seconds).join('\n');
  process.stdout.write(`${text}\n`);
  if (flags.watch) {
    await watchFolders(folders, async (changed) => {
      const again = await run(false);
      const line = flags.json
        ? reportJson(again.report, places, again.seconds)
        : watchLine(again.report, changed, again.seconds);
      if (line !== null) process.stdout.write(`${line}\n`);
    });
    return EXIT.ok;
  }
  return [...report.skipped, ...report.remarks].some(({ isProblem }) => isProblem) ? EXIT.partial : EXIT.ok;
}
