import type { Config } from '../../config/config.js';
import { ensureSecretFile } from '../../config/server-secret.js';
import { tell } from '../../core/stderr.js';
import type { MirrorProgress } from '../../ingest/built-index.js';
import { ingestCorpus, type IngestReport } from '../../ingest/ingest-corpus.js';
import { type CorpusOptions, resolveCorpus } from '../../ingest/manifest/resolve-corpus.js';
import { showEach, showProgress, showSteps } from '../progress.js';
import type { CommandEngines } from './session.js';
import { onInterrupt } from './signals.js';

interface RunOptions {
  readonly engines: CommandEngines;
  readonly rebuild?: boolean | undefined;
}

/** Indexes a corpus, with progress on stderr. */
export async function runIndex(
  config: Config,
  corpus: CorpusOptions,
  { engines, rebuild = false }: RunOptions,
): Promise<IngestReport> {
  const progress = showProgress(process.stderr);
  let files = 0;
  const publishing = showSteps(process.stderr, () => files);
  const mirroring = showEach(process.stderr);
  const stop = (): void => [progress, publishing, mirroring].forEach((view) => view.stop());
  const release = onInterrupt(stop);
  const vectors = { requested: 0, known: 0 };
  const note = (requested: number, known: number): void => void Object.assign(vectors, { requested, known });
  const fill = ({ engine, done, total }: MirrorProgress): void =>
    mirroring.update({ verb: `filling ${engine}`, noun: 'items', done, total });
  const writer = engines.openIndexWriter(config, note, fill);
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
