import { type Dirent, statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { codeIn } from '../core/errors.js';
import type { Remark } from '../core/indexed-document.js';
import { ignoreFilesAbove, type IgnoreRules, isIgnored, withIgnoreFiles } from './ignore-files.js';

export interface DocumentFile {
  readonly kind: 'file';
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export interface FoundFile extends DocumentFile {
  readonly ctimeMs: number;
  /** Size, times and inode. They differ after every change of the file. */
  readonly stat: string;
}

export interface PassedOver extends Remark {
  readonly kind: 'skipped';
}

/** A file or folder that is left out by a rule. */
interface LeftOut {
  /** `other`: a file that is not wanted; `ignored`: a file or folder that an ignore file excludes. */
  readonly kind: 'other' | 'ignored';
  readonly path: string;
}

export type WalkedEntry = FoundFile | PassedOver | LeftOut;

/** Folders without documents of the project itself. */
const NEVER = new Set(['node_modules', '__pycache__']);

/** True when a file or folder with this name is left out and not reported. */
export function isHidden(name: string): boolean {
  return name.startsWith('.') || NEVER.has(name);
}

export interface WalkOptions {
  readonly root: string;
  readonly isWanted: (path: string) => boolean;
  /** True to respect .gitignore and .ignore, from the root of the Git repository down. */
  readonly usesIgnoreFiles: boolean;
}

/**
 * What a Sphinx build has next to the pages: their sources (`page.rst.txt`), the files of the theme, documented code, and pages
 * without text of their own.
 */
const SPHINX_ENTRIES =
  /^(?:_sources|_static|_modules|(?:genindex(?:-.{1,20})?|(?:\w{1,20}-)?modindex)(?:\.html)?|search\.html)$/;
const SPHINX_MARKS = ['objects.inv', 'searchindex.js'];
/** Templates of pages, next to the settings of Sphinx. */
const SPHINX_TEMPLATES = { folder: '_templates', mark: 'conf.py' };
const SPHINX_REASON = 'Sphinx repeats its pages there, or has code, indexes or files of its theme';

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

function reasonOf(error: unknown): string {
  const code = codeIn(error);
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'ELOOP') return 'a loop of symbolic links';
  if (error instanceof RangeError) return error.message;
  if (code === 'ENOENT') return 'it was removed during the run';
  return `it can't be read (${code || 'unknown error'})`;
}

export function passedOver(path: string, reason: string, isProblem: boolean): PassedOver {
  return { kind: 'skipped', path, reason, isProblem };
}

/** The report entry for a file that could not be read. */
export function unreadable(path: string, error: unknown): PassedOver {
  // Node replaces such bytes, and does not find the file then.
  const isLostName = path.includes('\uFFFD') && codeIn(error) === 'ENOENT';
  return passedOver(path, isLostName ? 'its name is no UTF-8; rename it' : reasonOf(error), true);
}

/** Symbolic links are never followed. To index their target, give it as a folder. */
async function describeLink(root: string, absolute: string): Promise<string> {
  try {
    const target = relative(await realpath(root), await realpath(absolute));
    const isInside = target !== '..' && !target.startsWith(`..${sep}`);
    return isInside ? 'to a target inside the folder' : 'to a target outside the folder';
  } catch (error) {
    return codeIn(error) === 'ELOOP' ? 'in a loop' : 'with a missing target';
  }
}

function describeFile(absolute: string, path: string): FoundFile | PassedOver {
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(absolute);
    const stat = [size, mtimeMs, ctimeMs, ino].join(' ');
    return { kind: 'file', path, absolute, bytes: size, mtimeMs, ctimeMs, stat };
  } catch (error) {
    return unreadable(path, error);
  }
}

interface Place {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

const rulesAbove = ({ root, usesIgnoreFiles }: WalkOptions): IgnoreRules =>
  usesIgnoreFiles ? ignoreFilesAbove(root) : [];

/** Yields every wanted file below the root, sorted by name. Hidden files and folders are left out and not reported. */
export async function* walkFolder(
  options: WalkOptions,
  place: Place = { folder: '', rules: rulesAbove(options) },
): AsyncGenerator<WalkedEntry> {
  const { folder } = place;
  let entries;
  try {
    entries = await readdir(join(options.root, folder), { withFileTypes: true });
  } catch (error) {
    const isMissing = folder === '' && codeIn(error) === 'ENOENT';
    yield isMissing ? passedOver('.', 'it does not exist', true) : unreadable(folder || '.', error);
    return;
  }
  const names = new Set(entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])));
  const { rules, unread } = options.usesIgnoreFiles
    ? withIgnoreFiles(place.rules, options.root, { folder, names })
    : { rules: place.rules, unread: [] };
  for (const { path, cause } of unread) yield unreadable(path, cause);
  for (const entry of entries.sort(byName)) {
    if (!isHidden(entry.name)) yield* walkEntry(options, entry, { folder, rules, names });
  }
}

async function* walkEntry(
  options: WalkOptions,
  entry: Dirent,
  { folder, rules, names }: Place & { readonly names: ReadonlySet<string> },
): AsyncGenerator<WalkedEntry> {
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  const absolute = join(options.root, path);
  if (isIgnored(rules, entry.isDirectory() ? `${path}/` : path)) yield { kind: 'ignored', path };
  else if (isOfSphinx(entry, names)) yield passedOver(path, SPHINX_REASON, false);
  else if (entry.isDirectory()) yield* walkFolder(options, { folder: path, rules });
  else if (entry.isSymbolicLink())
    yield passedOver(path, `a symbolic link ${await describeLink(options.root, absolute)}`, false);
  else if (entry.isFile())
    yield options.isWanted(path) ? describeFile(absolute, path) : { kind: 'other', path };
  else if (options.isWanted(path)) yield passedOver(path, 'not a regular file', false);
}

function isOfSphinx({ name }: Dirent, names: ReadonlySet<string>): boolean {
  const { folder, mark } = SPHINX_TEMPLATES;
  if (name === folder) return names.has(mark);
  return SPHINX_ENTRIES.test(name) && SPHINX_MARKS.some((each) => names.has(each));
}
