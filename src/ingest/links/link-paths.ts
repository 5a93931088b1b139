import { isDocument } from '../conversion/formats.js';
import { isFolderPage, type PageTable, siteRoute, stemOf } from './page-table.js';

/** True if a path below one of the bases is a folder with pages. */
export function isPageFolder(table: PageTable, bases: readonly string[], path: string): boolean {
  return bases.some((base) => {
    const joined = join(base, path);
    return joined !== null && table.hasFolder(joined);
  });
}

/** Finds a path below the first base that has a page for it. */
export function findIn(table: PageTable, bases: readonly string[], path: string): string | null {
  for (const base of bases) {
    const joined = join(base, path);
    const found = joined === null ? null : table.find(joined, /(?:^|\/)\.{0,2}$/.test(path));
    if (found !== null) return found;
  }
  return null;
}

/** Joins a path to a base. @returns null if `..` leads out of the root, or if a path that starts with a slash leads out of the base */
export function join(base: string, path: string): string | null {
  const segments = base === '' ? [] : base.split('/');
  const minDepth = path.startsWith('/') ? segments.length : 0;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length <= minDepth) return null;
    if (segment === '..') segments.pop();
    else segments.push(segment);
  }
  return segments.join('/');
}

/** The folders that a relative link may begin at. */
export function relativeBases(from: string, path: string): readonly string[] {
  const folder = folderOf(from);
  if (/\.adoc$/i.test(path)) return [folder, ...modulePages(from), ...foldersAbove(from)];
  // A path with an extension refers to a file.
  if (isDocument(path)) return [folder];
  const shown = isFolderPage(from) ? folderOf(folder) : folderOf(siteRoute(from)) || stemOf(from);
  return [folder, shown, ...(path.startsWith('.') ? [] : foldersAbove(from))];
}

/** The pages of the Antora module that a file is in: links of its menu and of its partials begin there too. */
function modulePages(from: string): readonly string[] {
  const [module] = /^(?:.*\/)?modules\/[^/]+(?=\/)/.exec(from) ?? [];
  return module === undefined ? [] : [`${module}/pages`];
}

/** The root, then each folder down to the folder of the page. */
export function foldersAbove(from: string): readonly string[] {
  const names = folderOf(from).split('/').filter(Boolean);
  return ['', ...names.map((_name, index) => names.slice(0, index + 1).join('/'))];
}

/** The folder of a page; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
