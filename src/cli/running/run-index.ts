import type { Config } from '../../config/config.js';
import { ensureSecretFile } from '../../config/server-secret.js';
import { tell } from '../../core/stderr.js';
import type { MirrorProgress } from '../../ingest/built-index.js';
import {
  ingestCorpus,
  type IngestReport,
  planFolders,
  type SourceFolder,
} from '../../ingest/ingest-corpus.js';
import { type CorpusOptions, resolveCorpus } from '../../ingest/manifest/resolve-corpus.js';
import { type ProgressView, showEach, showProgress, showSteps, type WorkProgress } from '../progress.js';
import type { CommandEngines } from './session.js';
import { onInterrupt } from './signals.js';

interface RunOptions {
  readonly engines: CommandEngines;
  readonly rebuild?: boolean | undefined;
}

/** Displays the vectors that a model computes, instead of the files. */
function showVectors(reading: ProgressView, files: () => WorkProgress) {
  const view = showProgress(process.stderr, { verb: 'embedding', noun: 'sections' });
  const counts = { requested: 0, known: 0 };
  const note = (requested: number, known: number, waiting: number): void => {
    Object.assign(counts, { requested, known });
    if (requested + waiting === 0) return;
    reading.stop();
    const { done, total } = files();
    const staged = requested + known + waiting;
    // Files that are still unread have as many sections as those that were read.
    const all = Math.max(staged, Math.round((staged * total) / Math.max(1, done)));
    view.update({ done: requested + known, total: all });
  };
  return { counts, note, stop: () => view.stop() };
}

/** A stored index is found by the project of the settings. */
function ownedCorpus({ index, scope }: Config, corpus: CorpusOptions): CorpusOptions {
  if (index.store === 'file') return corpus;
  const environment = corpus.environment ?? (scope.environment || undefined);
  return { ...corpus, project: corpus.project ?? scope.project, environment };
}

/** Finds what `runIndex` would change in the folders that a list names. */
export async function planIndex(
  config: Config,
  corpus: CorpusOptions,
  { engines }: Pick<RunOptions, 'engines'>,
): Promise<readonly SourceFolder[]> {
  const progress = showProgress(process.stderr);
  const release = onInterrupt(() => progress.stop());
  const nothing = (): void => undefined;
  const writer = engines.openIndexWriter(config, nothing, nothing);
  try {
    return await planFolders(writer, await resolveCorpus(ownedCorpus(config, corpus)), {
      rebuild: false,
      maxFileBytes: config.index.maxFileBytes,
      onProgress: (done) => progress.update(done),
      onRebuild: nothing,
    });
  } finally {
    release();
    progress.stop();
    await writer.close();
  }
}

/** Indexes a corpus, with progress on stderr. */
export async function runIndex(
  config: Config,
  corpus: CorpusOptions,
  { engines, rebuild = false }: RunOptions,
): Promise<IngestReport> {
  const progress = showProgress(process.stderr);
  let files: WorkProgress = { done: 0, total: 0 };
  const vectors = showVectors(progress, () => files);
  const publishing = showSteps(process.stderr, () => files.total);
  const mirroring = showEach(process.stderr);
  const stop = (): void => [progress, vectors, publishing, mirroring].forEach((view) => view.stop());
  const release = onInterrupt(stop);
  const fill = ({ engine, done, total }: MirrorProgress): void =>
    mirroring.update({ verb: `filling ${engine}`, noun: 'items', done, total });
  const writer = engines.openIndexWriter(config, vectors.note, fill);
  try {
    const report = await ingestCorpus(writer, await resolveCorpus(ownedCorpus(config, corpus)), {
      rebuild,
      maxFileBytes: config.index.maxFileBytes,
      onProgress: (done) => {
        files = done;
        if (vectors.counts.requested === 0) progress.update(done);
      },
      onStep: (step) => {
        if (step.done === 0) [progress, vectors].forEach((view) => view.stop());
        publishing.update(step);
      },
      onRebuild: (reason) => tell(`Rebuilding the whole index: ${reason}.`),
    });
    ensureSecretFile(config.index.file);
    const { requested, known } = vectors.counts;
    if (requested + known > 0) tell(`Vectors: ${requested} computed by the model, ${known} reused.`);
    return report;
  } finally {
    release();
    stop();
    await writer.close();
  }
}
