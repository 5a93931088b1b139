import GithubSlugger from 'github-slugger';
import { isDocument } from './reading/readers.js';

/** Names that a folder's own page goes by; the first one that is there counts. */
const FOLDER_PAGES = ['index', 'readme', '_index'];

/** A page that links may lead to. */
export interface LinkedPage {
  /** Relative to the indexed folder, with forward slashes, not encoded. */
  readonly path: string;
  /** Where people read it, when it says so. */
  readonly url: string | null;
  /** Sites may show a page under its title instead of its file's name. */
  readonly title?: string;
}

/** Finds pages by what links call them. */
export interface PageTable {
  has(path: string): boolean;
  /**
   * @param path  without `.` and `..`, and without slashes at its ends; `''` is the root
   * @param isFolder  whether a slash stood behind it
   */
  find(path: string, isFolder: boolean): string | null;
  /** Whether a page lies at the root itself; none does in an index of several folders. */
  readonly hasRootPages: boolean;
  /** Folders at the root, sorted. */
  readonly topFolders: readonly string[];
}

/**
 * Lists pages by path, and by path without extension. Each name is looked up as it is, then in any case, where that leaves one page.
 * For `a/b.html`: the file, `a/b` with any extension, the page of the folder `a/b.html` or `a/b`; for `a/b/` the folder's page comes first.
 * Last, `a/b` is the one page in `a` whose title makes the slug `b`.
 */
export function pageTable(pages: readonly LinkedPage[]): PageTable {
  const paths = pages.map(({ path }) => path);
  const sorted = [...paths].sort(byExtension);
  const names = [...sorted.map((path) => [path, path] as const), ...sorted.map(withStem)];
  const exact = new Map<string, string>();
  const folded = new Map<string, string | null>();
  for (const [name, path] of names) {
    if (exact.has(name)) continue;
    exact.set(name, path);
    const key = name.toLowerCase();
    folded.set(key, folded.has(key) ? null : path);
  }
  const known = new Set(paths);
  const titled = titledPages(pages);
  return {
    has: (path) => known.has(path),
    find: (path, isFolder) => {
      // Most links are written so, and this is their first candidate.
      const own = isFolder ? undefined : exact.get(path);
      if (own !== undefined) return own;
      const candidates = candidateNames(path, isFolder);
      return (
        first(candidates, (name) => exact.get(name)) ??
        first(candidates, (name) => folded.get(name.toLowerCase())) ??
        titled.get(stemOf(path).toLowerCase()) ??
        null
      );
    },
    hasRootPages: paths.some((path) => !path.includes('/')),
    topFolders: [...new Set(paths.flatMap((path) => path.match(/^[^/]+(?=\/)/) ?? []))].sort(),
  };
}

function titledPages(pages: readonly LinkedPage[]): ReadonlyMap<string, string | null> {
  const titled = new Map<string, string | null>();
  for (const { path, title = '' } of pages) {
    const slug = GithubSlugger.slug(title);
    const name = path.slice(0, path.lastIndexOf('/') + 1).toLowerCase() + slug;
    if (slug !== '') titled.set(name, titled.has(name) ? null : path);
  }
  return titled;
}

/** A path without the extension of a document. */
export function stemOf(path: string): string {
  return isDocument(path) ? path.slice(0, path.lastIndexOf('.')) : path;
}

/** Whether a path is that of a folder's own page. */
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
  // `a/index.html` is where some sites show `a.md`.
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

function withStem(path: string): readonly [string, string] {
  return [stemOf(path), path];
}

/** Markdown before HTML, since the second is often made from the first. */
function byExtension(a: string, b: string): number {
  const order = Number(/\.html?$/i.test(a)) - Number(/\.html?$/i.test(b));
  return order || (a < b ? -1 : Number(a > b));
}
