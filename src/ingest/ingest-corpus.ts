// src/ingest: from a folder of documents to sections, names and links: readers, sectioning, manifest, the index run
import { setImmediate } from 'node:timers/promises';
import type { IndexedDocument, Remark } from '../core/indexed-document.js';
import type { IndexWriter, PublishReport } from '../core/ports/index-writer.port.js';
import { type IngestOptions, startRun } from './index-run.js';
import { listFiles } from './list-files.js';
import type { Corpus } from './manifest/resolve-corpus.js';
import { missingText } from './missing-text.js';
import { noDocuments } from './no-documents.js';
import { NO_TEXT, takeFile } from './take-file.js';
import { readTrails } from './trails/read-trails.js';
import { countUnread, type UnreadFiles } from './unread-files.js';
import type { PassedOver } from './walk-folder.js';

export interface IngestReport extends PublishReport {
  /** Files that this run read and split into sections. */
  readonly parsed: number;
  readonly unchanged: number;
  /** Files that an earlier, unfinished run had already prepared. */
  readonly resumed: number;
  readonly skipped: readonly PassedOver[];
  /** Files in unsupported formats; first those that can be converted. */
  readonly unread: readonly UnreadFiles[];
  /** Number of files and folders that .gitignore or .ignore excludes. */
  readonly ignored: number;
  /** Pages without text if they are many, problems in indexed files, and manifest settings that have no effect. */
  readonly remarks: readonly Remark[];
}

/** Longest time without a turn of the event loop, so that Ctrl+C works. */
const TURN_MS = 100;

const BATCH_SECTIONS = 500;

/**
 * Builds and publishes the index of a corpus. Unchanged files are not read; readers see the result in one step.
 * @throws PithError when the index can't be written; a bad file is only added to `skipped`
 */
export async function ingestCorpus(
  writer: IndexWriter,
  corpus: Corpus,
  options: IngestOptions,
): Promise<IngestReport> {
  const state = await writer.begin(corpus.settings, options.rebuild);
  if (state.rebuildReason) options.onRebuild(state.rebuildReason);
  const run = startRun(state, corpus, options);
  const files = await listFiles(run);
  run.trailOf = readTrails(files, run.navigation, run.siteRulesOf);
  let batch: IndexedDocument[] = [];
  let turnAt = performance.now() + TURN_MS;
  for (const [done, file] of files.entries()) {
    options.onProgress({ done, total: files.length, path: file.path });
    batch.push(...(await takeFile(file, run)));
    if (performance.now() >= turnAt) {
      await setImmediate();
      turnAt = performance.now() + TURN_MS;
    }
    if (batch.reduce((sum, { sections }) => sum + sections.length, 0) < BATCH_SECTIONS) continue;
    await writer.stage(batch);
    batch = [];
  }
  if (batch.length > 0) await writer.stage(batch);
  options.onProgress({ done: files.length, total: files.length, path: '' });
  // The documents of the same source were removed, so the index becomes empty.
  if (run.present.size === 0 && state.root !== corpus.settings.root) {
    const roots = corpus.folders.map(({ root }) => root);
    throw noDocuments({ ...run, roots, ignored: run.counts.ignored });
  }
  const published = await writer.publish(run.present, options.onStep);
  await writer.keepSeen(run.seen.all());
  const { skipped } = run;
  const without = skipped.filter(({ reason }) => reason === NO_TEXT).length;
  const remarks = [...missingText(without, published.documents + without), ...run.remarks];
  return { ...published, ...run.counts, skipped, unread: countUnread(run.unread), remarks };
}
