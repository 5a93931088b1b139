import GithubSlugger from 'github-slugger';
import { isDocument } from '../conversion/formats.js';

/** File names of a folder's own page; the first one that exists is used. */
const FOLDER_PAGES = ['index', 'readme', '_index'];
/** The page of a folder by the rules of Next.js and SvelteKit. */
const ROUTE = /(?:^|\/)(?:app\/(?:.*\/)?page|\+page)\.\w+$/;
/** The folder as which sites publish the page; folders in parentheses only group pages. @returns '' for other pages */
export const siteRoute = (path: string): string =>
  ROUTE.test(path) ? path.replace(/\/[^/]+$/, '').replace(/\/\([^/()]+\)(?=\/|$)/g, '') : '';
/** A folder of Jekyll with a collection, which is published without the low line. */
const COLLECTION = /(^|\/)_(?!(?:drafts|includes|layouts|posts)\/)(?=[\w-]+\/)/;
const publishedAs = (path: string): string =>
  siteRoute(path) || (COLLECTION.test(path) ? stemOf(path).replace(COLLECTION, '$1') : '');

/** A page that can be the target of links. */
export interface LinkedPage {
  /** Relative to the indexed folder, with forward slashes, not encoded. */
  readonly path: string;
  /** The URL in its front matter, if any. */
  readonly url: string | null;
  /** Some sites publish a page under its title instead of its file name. */
  readonly title?: string;
  /** Other names and addresses in its front matter, as written. */
  readonly names?: readonly string[];
}

/** A path in lower case, with hyphens for spaces, as sites publish it. */
const foldedName = (path: string): string => path.toLowerCase().replace(/\s/g, '-');

/** Finds pages by the paths that links use for them. */
export interface PageTable {
  has(path: string): boolean;
  /** @param path  without `.`, `..` and outer slashes; '' is the root @param isFolder  true if a slash followed it */
  find(path: string, isFolder: boolean): string | null;
  /** True when a page is at the root itself. In an index of several folders, no page is. */
  readonly hasRootPages: boolean;
  /** True for a folder with pages, at any depth. */
  hasFolder(path: string): boolean;
  /** Folders at the root, sorted. */
  readonly topFolders: readonly string[];
}

/**
 * Indexes pages by path, and by path without extension. A lookup tries each name as written, then in any case if only
 * one page matches.
 * `a/b.html` matches the file, then `a/b` with any extension, then the folder page of `a/b.html` or `a/b`; `a/b/`
 * matches the folder page first. As a last resort, `a/b` matches the only page in `a` whose title has the slug `b`, whose
 * front matter has the name `b`, or whose file has this name after a number. Names are compared in Unicode's composed
 * form: some systems write file names in the decomposed one.
 */
export function pageTable(pages: readonly LinkedPage[]): PageTable {
  const paths = pages.map(({ path }) => path);
  const sorted = [...paths].sort(byExtension);
  const stems = sorted.map((path) => [stemOf(path), path] as const);
  const exact = new Map<string, string>();
  const folded = new Map<string, string | null>();
  const routes = sorted.map((path) => [publishedAs(path), path] as const).filter(([route]) => route !== '');
  for (const [written, path] of [...sorted.map((own) => [own, own] as const), ...stems, ...routes]) {
    const name = written.normalize('NFC');
    if (exact.has(name)) continue;
    exact.set(name, path);
    const key = foldedName(name);
    folded.set(key, folded.has(key) ? null : path);
  }
  const known = new Set(paths);
  const titled = titledPages(pages);
  const folders = new Set(paths.flatMap((path) => foldersOf(path.normalize('NFC').toLowerCase())));
  return {
    has: (path) => known.has(path),
    find: (written, isFolder) => {
      const path = written.normalize('NFC');
      // Most links have this form, and this is their first candidate.
      const own = isFolder ? undefined : exact.get(path);
      if (own !== undefined) return own;
      const candidates = candidateNames(path, isFolder);
      return (
        first(candidates, (name) => exact.get(name)) ??
        first(candidates, (name) => folded.get(foldedName(name))) ??
        titled.get(stemOf(path).toLowerCase()) ??
        null
      );
    },
    hasFolder: (path) => folders.has(path.normalize('NFC').toLowerCase()),
    hasRootPages: paths.some((path) => !path.includes('/')),
    topFolders: [...new Set(paths.flatMap((path) => path.match(/^[^/]+(?=\/)/) ?? []))].sort(),
  };
}

function titledPages(pages: readonly LinkedPage[]): ReadonlyMap<string, string | null> {
  const titled = new Map<string, string | null>();
  for (const { path, title = '', names = [] } of pages) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const own = stemOf(path.slice(folder.length)).replace(/^\d+[-_. ]+(?=\D)/, '');
    const others = names.filter((name) => !name.includes('/'));
    for (const name of new Set([GithubSlugger.slug(title), own, ...others])) {
      const key = (folder + name).normalize('NFC').toLowerCase();
      if (name !== '') titled.set(key, titled.has(key) && titled.get(key) !== path ? null : path);
    }
  }
  return titled;
}

/** The folders on a path, from the root. */
function foldersOf(path: string): string[] {
  return ['', ...Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index))];
}

/** The path without its extension, if that is the extension of a document. */
export function stemOf(path: string): string {
  return isDocument(path) ? path.replace(/\.[^./]+$/, '') : path;
}

/** True for the path of a folder's own page. */
export function isFolderPage(path: string): boolean {
  const stem = stemOf(path);
  return FOLDER_PAGES.includes(stem.slice(stem.lastIndexOf('/') + 1).toLowerCase());
}

function candidateNames(path: string, isFolder: boolean): readonly string[] {
  const stem = stemOf(path);
  const files = stem === path ? [path] : [path, stem];
  const folders = files.flatMap((name) =>
    FOLDER_PAGES.map((page) => (name === '' ? page : `${name}/${page}`)),
  );
  // Some sites publish `a.md` as `a/index.html`.
  const parents = isFolderPage(path) ? [stem.slice(0, Math.max(0, stem.lastIndexOf('/')))] : [];
  return [...(isFolder ? [...folders, ...files] : [...files, ...folders]), ...parents].filter(Boolean);
}

function first(names: readonly string[], lookUp: (name: string) => string | null | undefined): string | null {
  for (const name of names) {
    const path = lookUp(name);
    if (path) return path;
  }
  return null;
}

/** Markdown before HTML, since HTML files are often generated from Markdown. */
function byExtension(a: string, b: string): number {
  const order = Number(/\.html?$/i.test(a)) - Number(/\.html?$/i.test(b));
  return order || (a < b ? -1 : Number(a > b));
}
