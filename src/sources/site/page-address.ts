import { isDocument } from '../../ingest/conversion/formats.js';
import { decodePercent } from '../../text/percent-encoding.js';

/** The part of a site that is read: the pages below a folder of one origin. */
export interface SiteFolder {
  readonly origin: string;
  /** Begins and ends with a slash. */
  readonly path: string;
}

/** The folder of an address: up to its last slash, and with what follows if that does not look like a file. */
export function folderAt({ origin, pathname }: URL): SiteFolder {
  const end = pathname.lastIndexOf('/') + 1;
  const isFile = end === pathname.length || /\.[a-z]{2,5}$/i.test(pathname);
  return { origin, path: isFile ? pathname.slice(0, end) : `${pathname}/` };
}

const withoutWww = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/** True if an address is of the same site as another one: the same host, with or without `www.`, and never less secure. */
export function isSameSite(from: URL, to: URL): boolean {
  if (!/^https?:$/.test(to.protocol)) return false;
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === to.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
  return isUpgrade && withoutWww(from) === withoutWww(to) && from.port === to.port;
}

/** Longer addresses are made by programs. */
const MAX_ADDRESS_CHARS = 2_000;

/**
 * The address of a page in a folder as it is asked for: without query and fragment, and on the origin of the folder.
 * @param text  an address, or a part of one that is relative to `base`
 * @returns null for addresses elsewhere, and for those that are no page's
 */
export function pageAddress(text: string, base: URL, folder: SiteFolder): URL | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS_CHARS || !URL.canParse(trimmed, base.href)) return null;
  const url = new URL(trimmed, base.href);
  if (url.username !== '' || url.password !== '') return null;
  if (!/^https?:$/.test(url.protocol) || !isOfOrigin(url, folder)) return null;
  const page = new URL(folder.origin);
  // Not as a relative address: a path can begin with two slashes.
  page.pathname = url.pathname;
  return page.pathname.startsWith(folder.path) || `${page.pathname}/` === folder.path ? page : null;
}

/** True for the origin of a folder, and for its variants with http, https and `www.`. */
function isOfOrigin(url: URL, folder: SiteFolder): boolean {
  const origin = new URL(folder.origin);
  return withoutWww(origin) === withoutWww(url) && origin.port === url.port;
}

/** Files that are no pages. */
const ASSET =
  /\.(?:7z|apk|atom|avif|bin|bz2|css|deb|dmg|eot|exe|gif|gz|ico|ics|inv|iso|jar|jpe?g|js|map|mjs|mov|mp3|mp4|msi|ogg|otf|png|rar|rpm|rss|svg|tar|tgz|ttf|wasm|wav|webm|webp|whl|woff2?|xml|xz|zip)$/i;
/** Sphinx repeats its pages there as text, the code that it documents, and all its names as links. */
const SPHINX_SOURCES =
  /\/_sources\/.*\.txt$|\/_modules\/|\/(?:genindex(?:-[^/]{1,20})?|(?:\w{1,20}-)?modindex)(?:\.html|\/)?$/;

/** True for a path that can be a page, or a file of a format that is read. */
export function isPagePath(path: string): boolean {
  return !SPHINX_SOURCES.test(path) && (isDocument(path) || !ASSET.test(path));
}

/** A name of a page that all of its addresses share: with and without a slash at the end, or `index.html`. */
export function pageKey({ pathname }: URL): string {
  return decodePercent(pathname)
    .normalize('NFC')
    .replace(/\/{2,}/g, '/')
    .replace(/\/index\.(?:html?|md)$/i, '/')
    .replace(/(?<!\/)\/+$/, '');
}

/** As `pageKey`, equal for a page and its Markdown beside it: `a.html`, `a/`, `a.md`, `a.html.md`, `a/index.md`. */
export function pageStem(url: URL): string {
  const path = pageKey(url).replace(/\.(?:md|mdx|markdown)$/i, '');
  return path.replace(/\.html?$/i, '').replace(/\/index$/i, '');
}
