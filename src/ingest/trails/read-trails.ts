import { readFileSync, statSync } from 'node:fs';
import type { SiteRules } from '../reading/anchors/site-anchors.js';
import { decodeSource } from '../reading/decode-source.js';
import { folderTitle, titleRank } from './folder-title.js';
import { navigationReader } from './navigation.js';

/** A file of the corpus. */
export interface TrailFile {
  /** As in the index, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
}

/** The titles above a page, outermost first. */
export type TrailOf = (path: string) => readonly string[];

/** The generator of the site of a page; null if it is not known. */
type SiteOf = (file: TrailFile) => SiteRules | null;
type Trails = ReadonlyMap<string, readonly string[]>;

/** Larger files are not read: parsing YAML with deep nesting is slow. */
const MAX_BYTES = 250_000;
/** The innermost titles that are kept. */
const MAX_LEVELS = 8;
const PAGE_ENDS = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md', '/_index.md'];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const depthOf = ({ path }: TrailFile): number => path.split('/').length;

function byDepthThenPath(a: TrailFile, b: TrailFile): number {
  return depthOf(a) - depthOf(b) || (a.path < b.path ? -1 : 1);
}

/** True for a file that can name the titles above pages. */
export function tellsTrails(path: string): boolean {
  return titleRank(nameOf(path)) >= 0 || navigationReader(nameOf(path)) !== undefined;
}

/** Reads a small file. @returns `none` if it can't be read; the run reports bad documents itself */
function readFrom<T>({ absolute }: TrailFile, read: (text: string) => T, none: T): T {
  try {
    return statSync(absolute).size > MAX_BYTES ? none : read(decodeSource(readFileSync(absolute)));
  } catch {
    return none;
  }
}

/** The titles of folders, from their title files. The root has none: all pages stand below it. */
function folderTitles(files: readonly TrailFile[], siteOf: SiteOf): ReadonlyMap<string, string> {
  const sources = files
    .map((file) => ({ file, folder: folderOf(file.path), rank: titleRank(nameOf(file.path)) }))
    .filter(({ folder, rank }) => folder !== '' && rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1));
  const titles = new Map<string, string>();
  for (const { file, folder } of sources) {
    if (titles.has(folder)) continue;
    const title = readFrom(file, (text) => folderTitle(nameOf(file.path), text, siteOf(file)), '');
    if (title !== '') titles.set(folder, title);
  }
  return titles;
}

/** The folders above a file, outermost first. The page of a folder stands beside the folder, not below it. */
function foldersAbove(path: string): string[] {
  const parts = folderOf(path).split('/');
  const folders = parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  return (titleRank(nameOf(path)) >= 0 ? folders.slice(0, -1) : folders).filter((folder) => folder !== '');
}

/** The titles that navigation files place above pages. If several files name a page, the outermost decides. */
function navigationTrails(files: readonly TrailFile[], pages: ReadonlySet<string>): Trails {
  const trails = new Map<string, readonly string[]>();
  const nested = new Map<string, readonly string[]>();
  // A table of contents precedes those that it includes, which are in folders below.
  for (const file of [...files].sort(byDepthThenPath)) {
    const read = navigationReader(nameOf(file.path));
    if (!read) continue;
    const above = nested.get(folderOf(file.path)) ?? [];
    for (const { target, trail: own } of readFrom(file, (text) => read(text, folderOf(file.path)), [])) {
      const trail = [...above, ...own];
      if (/(?:\/|toc\.ya?ml)$/i.test(target)) nested.set(folderOf(target), trail);
      const page = PAGE_ENDS.map((end) => target + end).find((path) => pages.has(path));
      if (page !== undefined && trail.length > 0 && !trails.has(page)) trails.set(page, trail);
    }
  }
  return trails;
}

/**
 * Finds the titles above pages: those of the navigation, else the titles of the folders. A folder without a title has
 * none; its name is in the path of the page.
 * @param pages  the documents @param others  files that are not documents
 */
export function readTrails(
  pages: readonly TrailFile[],
  others: readonly TrailFile[],
  siteOf: SiteOf = () => null,
): TrailOf {
  const files = [...pages, ...others];
  const titles = folderTitles(files, siteOf);
  const navigation = navigationTrails(files, new Set(pages.map(({ path }) => path)));
  return (path) => {
    const folders = foldersAbove(path).map((folder) => titles.get(folder) ?? '');
    return (navigation.get(path) ?? folders).filter((title) => title !== '').slice(-MAX_LEVELS);
  };
}
