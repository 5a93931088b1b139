// src/ingest: from a folder of documents to sections, names and links: readers, sectioning, manifest, the index run
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { IndexedDocument } from '../core/indexed-document.js';
import type { IndexWriter, OnStep, PublishReport, WriterState } from '../core/ports/index-writer.port.js';
import { IncludedFiles } from './includes/included-files.js';
import { indexDocument } from './index-document.js';
import type { Corpus, CorpusFolder } from './manifest/resolve-corpus.js';
import { noDocuments } from './no-documents.js';
import type { DocumentRules } from './reading/document-metadata.js';
import { MalformedDocumentError } from './reading/parsed-document.js';
import { isDocument } from './reading/readers.js';
import { SeenFiles } from './seen-files.js';
import { readTrails, tellsTrails, type TrailFile, type TrailOf } from './trails/read-trails.js';
import { countUnread, type UnreadFiles } from './unread-files.js';
import {
  type FoundFile,
  type PassedOver,
  passedOver,
  type Remark,
  unreadable,
  type WalkedEntry,
  walkFolder,
} from './walk-folder.js';

export interface IngestProgress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
}

export interface IngestOptions {
  readonly rebuild: boolean;
  readonly maxFileBytes: number;
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
  readonly onProgress: (progress: IngestProgress) => void;
  /** Called for each step after all files are read. */
  readonly onStep?: OnStep;
  /** Called once, before the first file, when an existing index is rebuilt from scratch. */
  readonly onRebuild: (reason: string) => void;
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
  /** Problems in indexed files, and manifest settings that have no effect. */
  readonly remarks: readonly Remark[];
}

/** Longest time without a turn of the event loop, so that Ctrl+C works. */
const TURN_MS = 100;

const BATCH_SECTIONS = 500;

interface Run {
  readonly state: WriterState;
  readonly options: IngestOptions;
  readonly corpus: Corpus;
  readonly present: Map<string, string>;
  readonly skipped: PassedOver[];
  readonly remarks: Remark[];
  readonly unread: string[];
  /** Files other than documents that can tell where pages stand. */
  readonly navigation: TrailFile[];
  readonly included: IncludedFiles;
  readonly seen: SeenFiles;
  trailOf: TrailOf;
  readonly counts: { parsed: number; unchanged: number; resumed: number; ignored: number };
}

/** Hash of the bytes, the manifest rules and the titles above: a change to any of them re-indexes the document. */
function hashOf(bytes: Uint8Array, rules: DocumentRules, trail: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([rules, trail]))
    .update('\0')
    .update(bytes)
    .digest('base64url');
}

/** Marks the hash of a document with problems, so that the next run reads it and reports them again. */
function withProblemMark(document: IndexedDocument): IndexedDocument {
  return document.problems.length > 0 ? { ...document, hash: `${document.hash}!` } : document;
}

function remarksOn({ facts, problems }: IndexedDocument): Remark[] {
  return problems.map(({ line, reason }) => ({ path: `${facts.path}:${line}`, reason, isProblem: true }));
}

function notReadable(file: FoundFile, error: unknown): PassedOver {
  if (!(error instanceof MalformedDocumentError)) return unreadable(file.path, error);
  return passedOver(`${file.path}:${error.line}`, error.reason, true);
}

function startRun(state: WriterState, corpus: Corpus, options: IngestOptions): Run {
  return {
    state,
    options,
    corpus,
    counts: { parsed: 0, unchanged: 0, resumed: 0, ignored: 0 },
    included: new IncludedFiles(),
    seen: new SeenFiles(state.seen, options.now ?? Date.now),
    trailOf: () => [],
    present: new Map(),
    skipped: [],
    unread: [],
    navigation: [],
    remarks: [...corpus.remarks],
  };
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
  const state = await writer.begin(corpus.settings, options.rebuild);
  if (state.rebuildReason) options.onRebuild(state.rebuildReason);
  const run = startRun(state, corpus, options);
  const files = await listFiles(run);
  run.trailOf = readTrails(files, run.navigation);
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
  if (run.present.size === 0) {
    const roots = corpus.folders.map(({ root }) => root);
    throw noDocuments({ ...run, roots, ignored: run.counts.ignored });
  }
  const published = await writer.publish(run.present, options.onStep);
  await writer.keepSeen(run.seen.all());
  const { skipped, remarks } = run;
  return { ...published, ...run.counts, skipped, unread: countUnread(run.unread), remarks };
}

async function listFiles(run: Run): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for (const folder of run.corpus.folders) {
    const isWanted = (path: string): boolean =>
      isDocument(path) && run.corpus.rules.isWanted(folder.prefix + path);
    for await (const found of walkFolder({ ...folder, isWanted })) {
      noteFile(found, folder, run);
      note(withPrefix(found, folder), run, files);
    }
  }
  // A file or folder that can't be read now keeps its last version in the index.
  for (const { path, isProblem } of run.skipped) if (isProblem) keepBelow(path, run);
  return files;
}

/** Notes a file that pages may include, and that may tell where they stand. */
function noteFile(found: WalkedEntry, { prefix, root }: CorpusFolder, run: Run): void {
  if (found.kind !== 'file' && found.kind !== 'other') return;
  const [path, absolute] = [prefix + found.path, join(root, found.path)];
  run.included.add(path, absolute);
  if (!isDocument(path) && tellsTrails(path)) run.navigation.push({ path, absolute });
}

/** Reads one file. @returns the document if it is to be staged, else [] */
async function takeFile(file: FoundFile, run: Run): Promise<IndexedDocument[]> {
  try {
    return await readDocument(file, run);
  } catch (error) {
    run.skipped.push(notReadable(file, error));
    keepLast(file.path, run);
    return [];
  }
}

async function readDocument(file: FoundFile, run: Run): Promise<IndexedDocument[]> {
  const { maxFileBytes } = run.options;
  if (file.bytes > maxFileBytes) {
    run.skipped.push(
      passedOver(file.path, `${file.bytes} bytes exceed PITH_MAX_FILE_BYTES (${maxFileBytes})`, true),
    );
    keepLast(file.path, run);
    return [];
  }
  const rules = run.corpus.rules.rulesFor(file.path);
  const trail = run.trailOf(file.path);
  const stamp = run.seen.stampOf(file, rules, trail);
  const seen = run.seen.hashOf(file.path, stamp);
  if (seen !== null && isKnown(file.path, seen, run)) return [];
  // Synchronous: nothing else has to run meanwhile, and waiting for a promise takes longer than the read.
  const own = readFileSync(file.absolute);
  const bytes = run.included.expand(own, file.path);
  const hash = hashOf(bytes, rules, trail);
  // A page with parts of other files can change when these do.
  if (!run.included.has(own, file.path)) run.seen.keep(file, { stamp, hash });
  if (isKnown(file.path, hash, run)) return [];
  const document = withProblemMark(await indexDocument({ file, bytes, rules, hash, trail }));
  run.remarks.push(...remarksOn(document));
  // The file is unchanged; it was read only to report its problems again.
  if (document.problems.length > 0 && isKnown(file.path, document.hash, run)) return [];
  if (document.sections.length === 0) {
    run.skipped.push(passedOver(file.path, 'it has no text', false));
    return [];
  }
  run.present.set(file.path, document.hash);
  run.counts.parsed++;
  return [document];
}

function withPrefix(found: WalkedEntry, { prefix }: CorpusFolder): WalkedEntry {
  const path = found.path === '.' && prefix !== '' ? prefix.slice(0, -1) : prefix + found.path;
  return { ...found, path };
}

function note(found: WalkedEntry, run: Run, files: FoundFile[]): void {
  if (found.kind === 'file') files.push(found);
  else if (found.kind === 'skipped') run.skipped.push(found);
  else if (found.kind === 'ignored') run.counts.ignored++;
  // Documents that the manifest excludes are not reported.
  else if (!isDocument(found.path)) run.unread.push(found.path);
}

/** Keeps the version of the last run. */
function keepLast(path: string, { state, present }: Run): void {
  const before = state.published.get(path);
  if (before !== undefined) present.set(path, before);
}

function keepBelow(path: string, run: Run): void {
  const prefix = path === '.' ? '' : `${path}/`;
  for (const known of run.state.published.keys()) {
    if (known === path || known.startsWith(prefix)) keepLast(known, run);
  }
}

function isKnown(path: string, hash: string, { state, present, counts }: Run): boolean {
  const isPublished = state.published.get(path) === hash;
  const isStaged = !isPublished && state.staged.get(path) === hash;
  if (isPublished) counts.unchanged++;
  if (isStaged) counts.resumed++;
  if (isPublished || isStaged) present.set(path, hash);
  return isPublished || isStaged;
}
