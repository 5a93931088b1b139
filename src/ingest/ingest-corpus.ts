// src/ingest: from a folder of documents to sections, names and links: readers, sectioning, manifest, the index run
import { setImmediate } from 'node:timers/promises';
import { InvalidArgumentError } from '../core/errors.js';
import type { IndexedDocument, Remark } from '../core/indexed-document.js';
import type { IndexWriter, PublishReport } from '../core/ports/index-writer.port.js';
import { folderVersions } from './folder-versions.js';
import { partRank } from './includes/part-names.js';
import { type IndexRun, type IngestOptions, pagesBefore, startRun } from './index-run.js';
import { listFiles } from './list-files.js';
import { withExceptions } from './manifest/document-groups.js';
import type { Corpus } from './manifest/resolve-corpus.js';
import { lostPages, missingText } from './missing-text.js';
import { NO_TEXT, takeFile } from './take-file.js';
import { readTrails } from './trails/read-trails.js';
import { countUnread, kindsText, lossesIn, type SourceLosses, type UnreadFiles } from './unread-files.js';
import type { FoundFile, PassedOver } from './walk-folder.js';

/** The counts of a run that found no document. */
interface Nothing {
  /** The folders, or the addresses of sources. */
  readonly roots: readonly string[];
  readonly skipped: readonly PassedOver[];
  readonly unread: readonly string[];
  readonly ignored: number;
}

/** A folder without documents that was never indexed is more likely a mistake than a request to empty the index. */
function noDocuments({ roots, skipped, unread, ignored }: Nothing): InvalidArgumentError {
  const first = skipped.find(({ isProblem }) => isProblem) ?? skipped[0];
  const kinds = countUnread(unread);
  const why = [
    ...(first ? [`${skipped.length} skipped; ${first.path}: ${first.reason}`] : []),
    ...(ignored > 0 ? [`${ignored} ignored by .gitignore or .ignore`] : []),
    ...(unread.length > 0 ? [`${unread.length} in unsupported formats: ${kindsText(kinds)}`] : []),
  ];
  const because = why.length > 0 ? ` (${why.join('; ')})` : '';
  const where = roots.length > 0 ? ` in ${roots.join(', ')}` : '';
  const correct = first?.isProblem === true ? `Correct or replace ${first.path}. ` : '';
  const advice = kinds
    .flatMap((kind) => (kind.advice === null ? [] : [`${kind.extension}: ${kind.advice}. `]))
    .join('');
  return new InvalidArgumentError(`No documents to index${where}${because}.`, {
    reason: 'no_documents',
    hint:
      ignored > 0
        ? 'Use --no-ignore to index files that .gitignore and .ignore exclude. An existing index is unchanged.'
        : `${correct}${advice}Give a folder with documents, such as .md, .rst, .adoc, .html, .txt or .docx files. An existing index is unchanged.`,
  });
}

/** A source of a run, after it. */
export interface SourceFolder {
  readonly name: string;
  /** Its pages in the index. */
  readonly pages: number;
  readonly changes: Readonly<Record<'added' | 'updated' | 'removed' | 'unchanged', number>>;
  /** The pages that it has now, if it has lost half of them, so that the old ones stay; else null. */
  readonly heldPages: number | null;
}

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
  /** The sources that were read; absent if there are none. */
  readonly sourceFolders?: readonly SourceFolder[];
  /** The files that are left out of each source and folder with a name of its own. */
  readonly losses?: readonly SourceLosses[];
  /** Pages without text if they are many, problems in indexed files, and manifest settings that have no effect. */
  readonly remarks: readonly Remark[];
}

/** Longest time without a turn of the event loop, so that Ctrl+C works. */
const TURN_MS = 100;

const BATCH_SECTIONS = 500;

/** Reads the files and stages their sections. @param writer  null: only reads them */
async function stageFiles(
  writer: IndexWriter | null,
  files: readonly FoundFile[],
  run: IndexRun,
): Promise<void> {
  let batch: IndexedDocument[] = [];
  let turnAt = performance.now() + TURN_MS;
  for (const [done, file] of files.entries()) {
    run.options.onProgress({ done, total: files.length, path: file.path });
    batch.push(...(await takeFile(file, run)));
    if (performance.now() >= turnAt) {
      await setImmediate();
      turnAt = performance.now() + TURN_MS;
    }
    if (batch.reduce((sum, { sections }) => sum + sections.length, 0) < BATCH_SECTIONS) continue;
    await writer?.stage(batch);
    batch = [];
  }
  if (batch.length > 0) await writer?.stage(batch);
}

const pagesBelow = (prefix: string, pages: ReadonlyMap<string, string>): [path: string, hash: string][] =>
  [...pages].filter(([path]) => path.startsWith(prefix));

/**
 * Half of the pages that a source had are gone or have no text any more, and at most half as many are there now: it may be
 * mounted, checked out or served in part. So all its pages stay as they are. Pages that the settings leave out now do not
 * count. A rebuild can't keep pages, so one that was asked for is refused, and another one names the source.
 * @throws InvalidArgumentError `rebuild_loses_pages`
 */
function holdLosses({ corpus, options, state, present, leftOut, held, remarks }: IndexRun): void {
  const losses: Remark[] = [];
  for (const { prefix, lost } of [...corpus.folders, ...(corpus.kept ?? [])]) {
    // Without a prefix, the pages of another source would be taken for lost ones.
    if (lost !== 'kept' || (prefix === '' && state.root !== corpus.settings.root)) continue;
    const before = pagesBelow(prefix, pagesBefore(state)).filter(([path]) => corpus.rules.isWanted(path));
    const now = pagesBelow(prefix, present);
    const gone = before.filter(([path]) => !present.has(path) && !leftOut.has(path));
    if (before.length === 0 || 2 * gone.length < before.length || 2 * now.length > before.length) continue;
    if (state.rebuildReason !== null) {
      losses.push(lostPages(gone.length, before.length, prefix.slice(0, -1)));
      continue;
    }
    held.set(prefix, now.length);
    now.forEach(([path]) => present.delete(path));
    before.forEach(([path, hash]) => present.set(path, hash));
  }
  if (options.rebuild && losses.length > 0) throw rebuildLoses(losses);
  remarks.push(...losses);
}

const rebuildLoses = (losses: readonly Remark[]): InvalidArgumentError =>
  new InvalidArgumentError(
    `A rebuild keeps no old pages, and these are gone: ${losses.map(({ path }) => path).join(', ')}.`,
    {
      reason: 'rebuild_loses_pages',
      hint: 'If this is what you want, run the same command with --accept-removal. The index is unchanged.',
    },
  );

/** Compares the pages of a source before and after a run. */
function sourceFolder(prefix: string, { state, present, held }: IndexRun): SourceFolder {
  const [before, after] = [pagesBelow(prefix, state.published), pagesBelow(prefix, present)];
  return {
    name: prefix.slice(0, -1),
    pages: after.length,
    changes: {
      added: after.filter(([path]) => !state.published.has(path)).length,
      updated: after.filter(([path, hash]) => (state.published.get(path) ?? hash) !== hash).length,
      unchanged: after.filter(([path, hash]) => state.published.get(path) === hash).length,
      removed: before.filter(([path]) => !present.has(path)).length,
    },
    heldPages: held.get(prefix) ?? null,
  };
}

/** Lists the files of a run, and finds out what their places say about them. Parts come last: whether pages include them is then known. */
async function prepareRun(run: IndexRun): Promise<readonly FoundFile[]> {
  const { corpus } = run;
  const files = await listFiles(run);
  run.placeOf = readTrails(files, run.navigation, {
    siteOf: run.siteRulesOf,
    listsFor: corpus.rules.groups.listsFor,
  });
  run.versionOf = folderVersions(files.map(({ path }) => path));
  return files.toSorted((a, b) => partRank(a.path) - partRank(b.path));
}

/** The prefixes of the sources of a corpus. */
const declaredIn = ({ folders }: Corpus): readonly string[] =>
  folders.flatMap(({ prefix, lost }) => (lost === undefined ? [] : [prefix]));

/** Finds what a run would change in the sources. Their files are read as in a run, and nothing is written. */
export async function planFolders(
  writer: IndexWriter,
  corpus: Corpus,
  options: IngestOptions,
): Promise<readonly SourceFolder[]> {
  const prefixes = declaredIn(corpus);
  if (prefixes.length === 0) return [];
  const state = await writer.peek(corpus.settings);
  const run: IndexRun = { ...startRun(state, corpus, options), hidden: new Set(), held: new Map() };
  try {
    const files = await prepareRun(run);
    const ofFolders = files.filter(({ path }) => prefixes.some((prefix) => path.startsWith(prefix)));
    await stageFiles(null, ofFolders, run);
  } finally {
    await run.converter.close();
  }
  holdLosses(run);
  return prefixes.map((prefix) => sourceFolder(prefix, run));
}

/** Reports pages without text of each source, and of all other pages. A source that is held is reported as such. */
function missingTexts({ corpus, skipped, present, held }: IndexRun): Remark[] {
  const rest = { pages: 0, without: 0 };
  const counts = new Map(declaredIn(corpus).map((prefix) => [prefix, { pages: 0, without: 0 }]));
  counts.set('', rest);
  const count = (path: string, without: 0 | 1): void => {
    const found = counts.get(path.slice(0, path.indexOf('/') + 1)) ?? rest;
    found.pages++;
    found.without += without;
  };
  for (const path of present.keys()) count(path, 0);
  for (const { path, reason } of skipped) if (reason === NO_TEXT) count(path, 1);
  return [...counts].flatMap(([prefix, { pages, without }]) =>
    held.has(prefix) ? [] : missingText(without, pages, prefix.slice(0, -1)),
  );
}

async function beginRun(writer: IndexWriter, corpus: Corpus, options: IngestOptions): Promise<IndexRun> {
  const exceptions = { hidden: new Set<string>(), held: new Map<string, number>() };
  const groupRules = withExceptions(corpus.rules.groups, exceptions);
  const state = await writer.begin({ ...corpus.settings, groupRules }, options.rebuild);
  if (state.rebuildReason) options.onRebuild(state.rebuildReason);
  return { ...startRun(state, corpus, options), ...exceptions };
}

/**
 * Builds and publishes the index of a corpus. Unchanged files are not read; readers see the result in one step.
 * @throws PithError when the index can't be written; a bad file is only added to `skipped`
 */
export async function ingestCorpus(
  writer: IndexWriter,
  corpus: Corpus,
  options: IngestOptions,
): Promise<IngestReport> {
  const run = await beginRun(writer, corpus, options);
  const files = await prepareRun(run);
  try {
    await stageFiles(writer, files, run);
  } finally {
    await run.converter.close();
  }
  holdLosses(run);
  options.onProgress({ done: files.length, total: files.length, path: '' });
  // The documents of the same source were removed, so the index becomes empty.
  if (run.present.size === 0 && run.state.root !== corpus.settings.root) {
    const roots = corpus.folders.map(({ root, address = root }) => address);
    throw noDocuments({ ...run, roots, ignored: run.counts.ignored });
  }
  const published = await writer.publish(run.present, options.onStep);
  await writer.keepSeen(run.seen.all());
  const { skipped } = run;
  const sourceFolders = declaredIn(corpus).map((prefix) => sourceFolder(prefix, run));
  const remarks = [...missingTexts(run), ...run.remarks, ...run.included.remarks()];
  const losses = corpus.folders.flatMap(({ prefix }) => (prefix === '' ? [] : [lossesIn(prefix, run)]));
  const ofList = { ...(sourceFolders.length > 0 && { sourceFolders }), ...(losses.length > 0 && { losses }) };
  return { ...published, ...run.counts, ...ofList, skipped, unread: countUnread(run.unread), remarks };
}
