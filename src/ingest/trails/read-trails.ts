import { readFileSync, statSync } from 'node:fs';
import { type GroupLists, plainLists } from '../../core/document-groups.js';
import { namesGroups } from '../manifest/written-groups.js';
import type { SiteRules } from '../reading/anchors/site-anchors.js';
import { decodeSource } from '../reading/decode-source.js';
import { folderTitle, titleRank } from './folder-title.js';
import { navigationReader } from './navigation.js';

/** A file of the corpus. */
export interface TrailFile {
  /** As in the index, with forward slashes. */
  readonly path: string;
  readonly absolute: string;
  /**
   * Of a file above an indexed folder: where that folder is, and what the paths of its pages begin with. `beside` is the
   * folder of the file, below the one that both are in.
   */
  readonly above?: { readonly folder: string; readonly prefix: string; readonly beside?: string };
}

/** Where a page stands. */
interface PagePlace {
  /** The titles above it, outermost first. */
  readonly trail: readonly string[];
  /** Its title in the navigation; '' without one. */
  readonly label: string;
}

export type FindPlace = (path: string) => PagePlace;

/** The generator of the site of a page; null if it is not known. */
type SiteOf = (file: TrailFile) => SiteRules | null;
type Places = ReadonlyMap<string, PagePlace>;

/** Larger files are not read: parsing YAML with deep nesting is slow. */
const MAX_BYTES = 250_000;
/** The innermost titles that are kept. */
const MAX_LEVELS = 8;
const PAGE_ENDS = ['', '.md', '.mdx', '/index.md', '/index.mdx', '/README.md', '/_index.md'];

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const depthOf = ({ path, above }: TrailFile): number =>
  above ? -above.folder.split('/').length : path.split('/').length;

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
    const stats = statSync(absolute);
    // Reading a pipe would wait for its writer.
    const isSmall = stats.isFile() && stats.size <= MAX_BYTES;
    return isSmall ? read(decodeSource(readFileSync(absolute))) : none;
  } catch {
    return none;
  }
}

/** The title of a folder, and the file that has it. */
interface FolderTitle {
  readonly title: string;
  readonly path: string;
}

interface TrailOptions {
  readonly siteOf?: SiteOf;
  /** The groups that may see a file by the settings of the corpus. */
  readonly listsFor?: (path: string) => GroupLists;
}

/** The titles of folders, from their title files. A page that names groups itself gives none. The root has none: all pages stand below it. */
function folderTitles(files: readonly TrailFile[], siteOf: SiteOf): ReadonlyMap<string, FolderTitle> {
  const sources = files
    .map((file) => ({ file, folder: folderOf(file.path), rank: titleRank(nameOf(file.path)) }))
    .filter(({ folder, rank }) => folder !== '' && rank >= 0)
    .sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1));
  const titles = new Map<string, FolderTitle>();
  for (const { file, folder } of sources) {
    if (titles.has(folder)) continue;
    const titleIn = (text: string): string =>
      namesGroups(text, file.path) ? '' : folderTitle(nameOf(file.path), text, siteOf(file));
    const title = readFrom(file, titleIn, '');
    if (title !== '') titles.set(folder, { title, path: file.path });
  }
  return titles;
}

/** The folders above a file, outermost first. The page of a folder stands beside the folder, not below it. */
function foldersAbove(path: string): string[] {
  const parts = folderOf(path).split('/');
  const folders = parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  return (titleRank(nameOf(path)) >= 0 ? folders.slice(0, -1) : folders).filter((folder) => folder !== '');
}

/** The path in the index of a target of a navigation file; null for one outside of the indexed folder. */
function indexedPath(target: string, { above }: TrailFile): string | null {
  if (!above) return target;
  return target.startsWith(`${above.folder}/`) ? above.prefix + target.slice(above.folder.length + 1) : null;
}

/** The places that navigation files give pages. If several files name a page, the outermost decides. */
function navigationPlaces(files: readonly TrailFile[], pages: ReadonlySet<string>): Places {
  const places = new Map<string, PagePlace>();
  const nested = new Map<string, readonly string[]>();
  // A table of contents precedes those that it includes, which are in folders below.
  for (const file of [...files].sort(byDepthThenPath)) {
    const name = nameOf(file.path);
    const read = navigationReader(name);
    if (!read) continue;
    const folder = file.above ? (file.above.beside ?? '') : folderOf(file.path);
    const outer = nested.get(folder) ?? [];
    for (const { target, trail: own, label } of readFrom(file, (text) => read(text, folder, name), [])) {
      const trail = [...outer, ...own];
      const path = indexedPath(target, file);
      if (path === null) continue;
      if (/(?:\/|toc\.ya?ml)$/i.test(path)) nested.set(folderOf(path), trail);
      const page = PAGE_ENDS.map((end) => path + end).find((found) => pages.has(found));
      const known = page === undefined ? undefined : places.get(page);
      if (page === undefined || (known && known.trail.length > 0)) continue;
      places.set(page, { trail, label: known?.label || label });
    }
  }
  return places;
}

/**
 * Finds where pages stand: the titles above them in the navigation, else those of the folders. A folder without a title
 * has none; its name is in the path of the page.
 * @param pages  the documents @param others  files that are not documents
 */
export function readTrails(
  pages: readonly TrailFile[],
  others: readonly TrailFile[],
  { siteOf = () => null, listsFor = () => [] }: TrailOptions = {},
): FindPlace {
  const files = [...pages, ...others];
  const ofFolders = folderTitles(files, siteOf);
  const keysOf = (path: string): string[] => plainLists(listsFor(path)).map((list) => JSON.stringify(list));
  /** The title of a folder, if all who may see the page may see the file that has the title. */
  const titleAbove = (folder: string, lists: readonly string[]): string => {
    const { title = '', path = '' } = ofFolders.get(folder) ?? {};
    return title !== '' && keysOf(path).every((list) => lists.includes(list)) ? title : '';
  };
  const navigation = navigationPlaces(files, new Set(pages.map(({ path }) => path)));
  return (path) => {
    const lists = keysOf(path);
    const folders = foldersAbove(path).map((folder) => titleAbove(folder, lists));
    const { trail = [], label = '' } = navigation.get(path) ?? {};
    const titles = (trail.length > 0 ? trail : folders).filter((title) => title !== '');
    return { trail: titles.slice(-MAX_LEVELS), label };
  };
}
