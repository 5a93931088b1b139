import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { installCommand } from '../config/required-packages.js';
import { isInstalled } from '../core/package-facts.js';
import { CODE_GRAMMARS } from './conversion/converted-text.js';
import { isCode, isDocument, isRecognised } from './conversion/formats.js';
import { type IndexRun, keepLast, pagesBefore } from './index-run.js';
import type { CorpusFolder } from './manifest/resolve-corpus.js';
import { MAX_ABOVE } from './site-rules.js';
import { navigationReader, SITE_BESIDE } from './trails/navigation.js';
import { tellsTrails } from './trails/read-trails.js';
import { type FoundFile, passedOver, type WalkedEntry, walkFolder } from './walk-folder.js';

/** Walks the folders of a corpus. @returns the documents; all else is noted in `run` */
export async function listFiles(run: IndexRun): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for (const folder of run.corpus.folders) {
    noteAbove(folder, run);
    const isWanted = (path: string): boolean => {
      const named = (folder.prefix + path).normalize('NFC');
      const { rules } = run.corpus;
      if (!rules.isWanted(named)) return false;
      if (isCode(path)) return rules.isNamed(named);
      return isDocument(path) || isRecognised(path, join(folder.root, path), run.state.published.has(named));
    };
    const taken = new Set<string>();
    // The files of a copy are written once. So one that is new is not about to change again.
    const isCopy = folder.address !== undefined && !folder.usesIgnoreFiles;
    for await (const walked of walkFolder({ ...folder, isWanted })) {
      const found = isCopy && walked.kind === 'file' ? asCopied(walked) : walked;
      const named = withPrefix(found, folder, taken);
      noteFile(found, { path: named.path, root: folder.root }, run);
      note(named, run, files);
    }
    noteLeftOut(folder, { files, taken }, run);
  }
  // A file or folder that can't be read now keeps its last version in the index.
  for (const { path, isProblem } of run.skipped) if (isProblem) keepBelow(path, run);
  const isSameList = run.state.root === run.corpus.settings.root;
  for (const { prefix, lost } of run.corpus.kept ?? [])
    if (lost === 'kept' || isSameList) keepBelow(prefix.slice(0, -1), run);
  return withoutGrammars(files, run);
}

/** A file that is linked into each new copy, which changes its ctime, and whose inode is not used again while it is. */
const asCopied = (file: FoundFile): FoundFile => ({
  ...file,
  ctimeMs: 0,
  stat: [file.bytes, file.mtimeMs, file.stat.split(' ').at(-1)].join(' '),
});

/**
 * Notes the pages of the index whose files are there, but are no documents any more by the settings. Files that only their
 * content made documents, such as descriptions of APIs, have lost it.
 */
function noteLeftOut(
  { root, prefix }: CorpusFolder,
  { files, taken }: { readonly files: readonly FoundFile[]; readonly taken: ReadonlySet<string> },
  { corpus, state, leftOut }: IndexRun,
): void {
  const listed = new Set(files.map(({ path }) => path));
  for (const path of pagesBefore(state).keys()) {
    if (listed.has(path) || !path.startsWith(prefix)) continue;
    if (corpus.rules.isWanted(path) && !isCode(path) && !isDocument(path)) continue;
    if (taken.has(path) || existsSync(join(root, path.slice(prefix.length)))) leftOut.add(path);
  }
}

/** Without the package of grammars, code is unread: it is named once, and last versions stay. */
function withoutGrammars(files: readonly FoundFile[], run: IndexRun): FoundFile[] {
  const code = files.filter(({ path }) => isCode(path));
  const [first] = code;
  if (!first || isInstalled(CODE_GRAMMARS)) return [...files];
  const reason = `code is not read (files: ${code.length}), because a package is missing. Install it: ${installCommand([CODE_GRAMMARS])}`;
  run.skipped.push(passedOver(first.path, reason, true));
  for (const { path } of code) {
    run.unread.push(path);
    keepLast(path, run);
  }
  return files.filter(({ path }) => !isCode(path));
}

/** Notes a file that pages may include, and that may tell where they stand. */
function noteFile(
  found: WalkedEntry,
  { path, root }: { readonly path: string; readonly root: string },
  run: IndexRun,
): void {
  if (found.kind !== 'file' && found.kind !== 'other') return;
  // The same string: of hundreds of thousands of files, a second one would take much memory.
  const absolute = found.kind === 'file' ? found.absolute : join(root, found.path);
  run.included.add(path, absolute);
  if (!isDocument(path) && tellsTrails(path)) run.navigation.push({ path, absolute });
}

/** Notes the navigation of a site in the folders above an indexed one: `mkdocs.yml` above `docs`. */
function noteAbove({ root, prefix }: CorpusFolder, run: IndexRun): void {
  let [folder, below] = [root, ''];
  for (let left = MAX_ABOVE; left > 0 && !existsSync(join(folder, '.git')); left--) {
    below = posix.join(basename(folder), below);
    folder = dirname(folder);
    for (const beside of ['', SITE_BESIDE]) {
      const above = { folder: below, prefix, beside };
      const names = namesIn(join(folder, beside)).filter((name) => navigationReader(name));
      for (const path of names) run.navigation.push({ path, absolute: join(folder, beside, path), above });
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It may be the folder of another user.
    return [];
  }
}

/** Composes accents, so that paths compare equal. Of two files whose names differ only in this, the second is decomposed. */
function withPrefix(found: WalkedEntry, { prefix }: CorpusFolder, taken: Set<string>): WalkedEntry {
  const written = found.path === '.' && prefix !== '' ? prefix.slice(0, -1) : prefix + found.path;
  const forms = [written.normalize('NFC'), written, written.normalize('NFD')];
  const path = forms.find((form) => !taken.has(form)) ?? written;
  taken.add(path);
  return { ...found, path };
}

function note(found: WalkedEntry, run: IndexRun, files: FoundFile[]): void {
  if (found.kind === 'file') files.push(found);
  else if (found.kind === 'skipped') run.skipped.push(found);
  else if (found.kind === 'ignored') run.counts.ignored++;
  // Documents that the manifest excludes are not reported.
  else if (!isDocument(found.path)) run.unread.push(found.path);
}

function keepBelow(path: string, run: IndexRun): void {
  const prefix = path === '.' ? '' : `${path}/`;
  for (const known of run.state.published.keys()) {
    if (known === path || known.startsWith(prefix)) keepLast(known, run);
  }
}
