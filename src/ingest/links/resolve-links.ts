import { decodePath } from '../../core/section-id.js';
import { isTextDocument } from '../reading/readers.js';
import { parseWikiLink, type WikiLink } from '../reading/wiki-link.js';
import { findIn, folderOf, foldersAbove, isPageFolder, join, relativeBases } from './link-paths.js';
import { type NamedPages, namedPages } from './named-pages.js';
import { type LinkedPage, type PageTable, pageTable } from './page-table.js';
import { pathBelow, type SiteAddress, siteAddress } from './site-address.js';
import { WIKI_FORM, type WrittenLink, writtenLink } from './written-links.js';

type LinkTarget =
  /** `anchor` as written after the `#`; see `anchorFinder`. */
  | { readonly kind: 'page'; readonly path: string; readonly anchor: string | null }
  /** Another site, a path outside the folder, or not a document: mail, scripts, data, images, downloads. */
  | { readonly kind: 'external' }
  /** Looks like a document in this folder, but no such page exists. */
  | { readonly kind: 'unresolved' }
  /** In the syntax of a generator or a wiki that was not understood. */
  | { readonly kind: 'unread'; readonly form: string };

const EXTERNAL: LinkTarget = { kind: 'external' };
const UNRESOLVED: LinkTarget = { kind: 'unresolved' };
/** With more folders at the root, they are parts of one site rather than separate sites. */
const MAX_SITE_FOLDERS = 50;

/** A site where the pages are published. */
interface Site extends SiteAddress {
  /** True for a guessed site, which may also publish pages of other folders. */
  readonly isGuessed: boolean;
}

interface Web {
  readonly table: PageTable;
  /** Longest paths first. */
  readonly sites: readonly Site[];
  /** Paths of pages by the URL in their front matter. */
  readonly pages: ReadonlyMap<string, string>;
  /** Made when it is first needed: most documentation has no links by name. */
  readonly named: () => NamedPages;
}

/**
 * Resolves links to pages; the first candidate that is a page is used:
 *
 *     #part           the page itself
 *     b, ./b, ../b    from the page's folder; without extension also as in a browser, if the page is served as /page/ or
 *                     an index page as /folder; without a dot also from the root, for pages with a base address;
 *                     `.adoc` also from each folder above the page, outermost first
 *     /a/b, ~/a/b     below the path of a site; from the root; from each folder above the page, outermost first
 *     https://…/a/b   the page with this URL in its front matter; below a site like /a/b; in another folder at the root
 *                     if it is the only one with such a page
 *
 *     [[b]], [[a/b]]  the page with this name in any folder, with the shortest path
 *     {{< ref b >}}   and the like: a path as above, or else a name
 *
 * A link to a folder with pages but without a page of its own is external.
 *
 * @param siteUrls  where the pages are published; `http` or `https`, with or without `www.`
 * @param guessedUrls  URLs from `guessSites`
 * @returns a function of the path of a page and a link on it
 */
export function linkResolver(
  pages: readonly LinkedPage[],
  siteUrls: readonly string[],
  guessedUrls: readonly string[] = [],
): (from: string, href: string) => LinkTarget {
  const web: Web = {
    table: pageTable(pages),
    sites: [...toSites(siteUrls, false), ...toSites(guessedUrls, true)].sort(
      (a, b) => b.path.length - a.path.length,
    ),
    pages: new Map(pages.flatMap(ownAddress).reverse()),
    named: once(() => namedPages(pages)),
  };
  return (from, href) => {
    if (!web.table.has(from)) return UNRESOLVED;
    const wiki = href.startsWith('[[') ? parseWikiLink(href) : null;
    if (wiki) return findWiki(web, from, wiki);
    const written = writtenLink(href);
    return written ? findWritten(web, from, written) : findHref(web, from, href);
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function findHref(web: Web, from: string, href: string): LinkTarget {
  const { place, fragment } = splitHref(href);
  const found = find(web, from, place);
  return typeof found === 'string' ? { kind: 'page', path: found, anchor: fragment } : found;
}

/** A link of a generator is never dead: its folders may be others than those of the site. */
function findWritten(web: Web, from: string, { href, form, component }: WrittenLink): LinkTarget {
  if (href === null) return { kind: 'unread', form };
  const { place, fragment } = splitHref(href);
  const name = decodePath(place);
  const path =
    component === undefined ? null : web.named().find(name, (page) => page.split('/').includes(component));
  if (path !== null) return { kind: 'page', path, anchor: fragment };
  // Many components have pages of the same name in their main module.
  if (component !== undefined && place.startsWith('modules/ROOT/')) return { kind: 'unread', form };
  const found = findHref(web, from, href);
  if (found.kind === 'page') return found;
  const own = /^.*?(?=modules\/)/.exec(from)?.[0] ?? '';
  const other =
    web.named().find(name, (page) => own !== '' && page.startsWith(own)) ??
    web.named().find(name) ??
    findBelow(web.table, name);
  return other === null ? { kind: 'unread', form } : { kind: 'page', path: other, anchor: fragment };
}

/** Finds a path from the root of a site of which only the first folder is indexed. */
function findBelow(table: PageTable, path: string): string | null {
  const [, below = ''] = /^\/?[^/]+\/(.+)$/.exec(path) ?? [];
  return below === '' ? null : findIn(table, [''], below);
}

function findWiki(web: Web, from: string, { places, isSure }: WikiLink): LinkTarget {
  for (const { page, part } of places) {
    const address = siteAddress(page) ? findHref(web, from, page) : null;
    if (address) return address;
    const path = page === '' ? from : findNamed(web, from, page);
    if (path !== null) return { kind: 'page', path, anchor: part };
  }
  if (places.some(({ page }) => isFile(page) || /^[a-z][a-z\d+.-]*:\/\//i.test(page))) return EXTERNAL;
  return isSure ? UNRESOLVED : { kind: 'unread', form: WIKI_FORM };
}

function findNamed({ table, named }: Web, from: string, page: string): string | null {
  const folder = folderOf(from);
  if (/^\.{1,2}\//.test(page)) return findIn(table, [folder], page);
  return named().find(page) ?? findIn(table, foldersAbove(from), `/${page}/`);
}

function toSites(urls: readonly string[], isGuessed: boolean): Site[] {
  return urls.flatMap((url) => {
    const address = siteAddress(url);
    return address ? [{ ...address, isGuessed }] : [];
  });
}

function ownAddress({ path, url }: LinkedPage): [string, string][] {
  const address = url === null ? null : siteAddress(url);
  return address ? [[addressKey(address), path]] : [];
}

function addressKey({ host, path }: SiteAddress): string {
  return host + decodePath(path).replace(/(?<!\/)\/+$/, '');
}

function splitHref(href: string): { place: string; fragment: string | null } {
  const hash = href.indexOf('#');
  const whole = hash < 0 ? href : href.slice(0, hash);
  const query = whole.indexOf('?');
  const place = query < 0 ? whole : whole.slice(0, query);
  return { place: place.trim(), fragment: (hash >= 0 && href.slice(hash + 1)) || null };
}

function find(web: Web, from: string, place: string): string | LinkTarget {
  if (place === '') return from;
  const address = siteAddress(place);
  if (address) return findAddress(web, from, address);
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(place)) return EXTERNAL;
  const path = decodePath(place).replaceAll('\\', '/');
  if (!/^~?\//.test(path)) {
    const found = findIn(web.table, relativeBases(from, path), path);
    return found ?? (isElsewhere(web.table, from, path) ? EXTERNAL : UNRESOLVED);
  }
  const rooted = path.slice(path.indexOf('/'));
  const below = web.sites.flatMap(({ path: base }) => (base === '' ? [] : (pathBelow(rooted, base) ?? [])));
  const found = findOnSite(web.table, from, below) ?? findIn(web.table, foldersAbove(from), rooted);
  if (found !== null) return found;
  const isLocal = below.some((left) => /[^/]/.test(left)) || startsHere(web.table, rooted);
  return isLocal && !isFile(rooted) && !isPageFolder(web.table, foldersAbove(from), rooted)
    ? UNRESOLVED
    : EXTERNAL;
}

/** True for a relative path to a file, to a folder, or out of the indexed folder. */
function isElsewhere(table: PageTable, from: string, path: string): boolean {
  return (
    isFile(path) ||
    isPageFolder(table, relativeBases(from, path), path) ||
    isOutside(table, join(folderOf(from), path))
  );
}

/** True when the extension is not that of a page. That such files are missing is not reported. */
function isFile(path: string): boolean {
  return !isTextDocument(path) && /[^/.][^/]*\.[a-z][a-z\d]{0,7}$/i.test(path);
}

/** True when a path leads out of the indexed folder, or out of all of them if there are several. */
function isOutside(table: PageTable, path: string | null): boolean {
  return path === null || !(table.hasRootPages || startsHere(table, path));
}

/** True when a path from the root begins with an indexed folder; paths of other sites begin with other folders. */
function startsHere({ topFolders }: PageTable, rooted: string): boolean {
  const [folder = ''] = rooted.split('/').filter(Boolean);
  return topFolders.includes(folder);
}

function findAddress({ table, sites, pages }: Web, from: string, address: SiteAddress): string | LinkTarget {
  const own = pages.get(addressKey(address));
  if (own !== undefined) return own;
  const below = sites.flatMap(({ host, path, isGuessed }) => {
    const left = host === address.host ? pathBelow(address.path, path) : null;
    return left === null ? [] : [{ left: decodePath(left), isGuessed }];
  });
  const found = findOnSite(
    table,
    from,
    below.map(({ left }) => left),
  );
  const isLocal = below.some(({ left, isGuessed }) => !isGuessed && /[^/]/.test(left) && !isFile(left));
  return found ?? (isLocal ? UNRESOLVED : EXTERNAL);
}

/** @param below  the rest of the path below each site */
function findOnSite(table: PageTable, from: string, below: readonly string[]): string | null {
  for (const path of below) {
    const found = findIn(table, foldersAbove(from), path) ?? findElsewhere(table, path);
    if (found !== null) return found;
  }
  return null;
}

/** Each folder at the root may be a site of its own. A page counts only if exactly one folder has it. */
function findElsewhere(table: PageTable, path: string): string | null {
  if (table.topFolders.length > MAX_SITE_FOLDERS) return null;
  const found = table.topFolders.flatMap((folder) => findIn(table, [folder], path) ?? []);
  return found.length === 1 ? (found[0] ?? null) : null;
}
