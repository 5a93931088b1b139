import GithubSlugger from 'github-slugger';
import { decodePath } from '../../core/section-id.js';
import { isDocument } from '../conversion/formats.js';
import { labelAnchor } from '../reading/anchors/label-anchors.js';
import type { LinkedPage } from './page-table.js';
import { linkResolver } from './resolve-links.js';
import { siteAddress } from './site-address.js';

/** The anchors of a page. The caller assigns a number to each place. */
export interface PageAnchors {
  /** Places by the anchors of their headings. */
  readonly headings: ReadonlyMap<string, number>;
  /** Places by other ids of the page; null for an id outside all places. */
  readonly ids: ReadonlyMap<string, number | null>;
}

export interface PageLookup {
  readonly anchorsOf: (path: string) => PageAnchors;
  /** Null if the page has no text. */
  readonly titleOf: (path: string) => string | null;
  /** Places of labels of Sphinx by `labelAnchor`; empty where no page is one of Sphinx. */
  readonly labels: () => ReadonlyMap<string, LabelPlace>;
}

export interface LabelPlace {
  readonly path: string;
  /** Null outside all places. */
  readonly place: number | null;
}

/** The target of a link. */
export interface PlacedLink {
  /** Path of the target page; null if the link leads to no page of the index. */
  readonly path: string | null;
  /** Null if the link leads to the page as a whole. */
  readonly place: number | null;
  /** True if the link points to a page or heading that should be in the index but does not exist. */
  readonly isDead: boolean;
}

interface LinkedPages {
  readonly pages: readonly LinkedPage[];
  /** URLs where the pages are published. */
  readonly siteUrls: readonly string[];
  /** From `guessSites`. */
  readonly guessedSites: readonly string[];
}

/** A fragment that refers to the whole page: `top` in HTML, or a text fragment (`:~:text=`). */
const PAGE_ANCHOR = /^(?:top$|:~:)/i;

/** Undefined if the page has no such anchor; null if the anchor is on the page but outside all places. */
type FindPlace = (fragment: string) => number | null | undefined;

/** Finds the place of a fragment: as written, then without percent-encoding, then as `anchorFinder` does. */
function placeFinder({ headings, ids }: PageAnchors): FindPlace {
  const named = new Map(
    [...ids, ...headings].map(([name, place]): [string, number | null] => [name.normalize('NFC'), place]),
  );
  const find = anchorFinder([...headings.keys()]);
  return (fragment) => {
    const exact = [fragment.normalize('NFC'), decodePath(fragment)].find((name) => named.has(name));
    if (exact !== undefined) return named.get(exact);
    const anchor = find(fragment);
    return anchor === null ? undefined : headings.get(anchor);
  };
}

/** Pages whose anchors are kept, about 10 kB each. */
const MAX_FINDERS = 2_000;

/** Finds the target of each link. A link to a missing heading leads to its page. */
export function linkPlacer(
  { pages, siteUrls, guessedSites }: LinkedPages,
  { anchorsOf, titleOf, labels }: PageLookup,
): (link: PageLink) => PlacedLink {
  const resolve = linkResolver(pages, siteUrls, guessedSites);
  const finders = new Map<string, FindPlace>();
  const finderOf = (path: string): FindPlace => {
    const known = finders.get(path);
    if (known) return known;
    if (finders.size >= MAX_FINDERS) finders.clear();
    const find = placeFinder(anchorsOf(path));
    finders.set(path, find);
    return find;
  };
  // The title has no place if there is no text between it and the next heading.
  const isTitle = (path: string, fragment: string): boolean => {
    const title = titleOf(path);
    return title !== null && isTitleAnchor(title, fragment);
  };
  const placed = ({ from, href }: PageLink): PlacedLink => {
    const target = resolve(from, href);
    if (target.kind !== 'page') return { path: null, place: null, isDead: target.kind === 'unresolved' };
    const { path, anchor } = target;
    if (anchor === null) return { path, place: null, isDead: false };
    const place = finderOf(path)(anchor);
    const isThere = place !== undefined || PAGE_ANCHOR.test(anchor) || isTitle(path, anchor);
    return { path, place: place ?? null, isDead: !isThere };
  };
  return (link) => {
    const found = placed(link);
    return found.isDead && mayNameLabel(link) && labels().size > 0 ? labelled(link, labels()) : found;
  };
}

/** True for a link on a page of MyST that is no path of a file: `#label` and `label`, as written by MyST. */
function mayNameLabel({ from, href }: PageLink): boolean {
  const [name = ''] = href.split('#');
  return /\.(?:md|markdown)$/i.test(from) && !isDocument(name) && !/^[./~]|\/$|^\[\[/.test(name);
}

/** A label of another page. Others may be in the inventories of other projects, or names of a programming language. */
function labelled({ href }: PageLink, labels: ReadonlyMap<string, LabelPlace>): PlacedLink {
  const found = labels.get(labelAnchor(decodePath(href.replace(/^(?:project:)?#?/, ''))));
  return { path: found?.path ?? null, place: found?.place ?? null, isDead: false };
}

/**
 * Finds the anchor that a link's fragment refers to. It compares, in this order: the fragment as written, without
 * percent-encoding, in any case, as a GitHub slug, and by letters and digits alone if that leaves one anchor. Sites
 * build anchors in different ways (`_meta` or `meta`, `a_b` or `a-b`). Accents are compared in their composed form.
 * @param anchors  of one page, in reading order; of equal anchors the first is used
 */
export function anchorFinder(anchors: readonly string[]): (fragment: string) => string | null {
  const exact = new Map<string, string>();
  const folded = new Map<string, string>();
  const loose = new Map<string, string | null>();
  for (const anchor of new Set(anchors)) {
    const name = anchor.normalize('NFC');
    if (!exact.has(name)) exact.set(name, anchor);
    const key = name.toLowerCase();
    if (!folded.has(key)) folded.set(key, anchor);
    loose.set(lettersOf(name), loose.has(lettersOf(name)) ? null : anchor);
  }
  return (written) => {
    const fragment = written.normalize('NFC');
    const plain = decodePath(fragment);
    const found =
      exact.get(fragment) ??
      exact.get(plain) ??
      folded.get(plain.toLowerCase()) ??
      folded.get(GithubSlugger.slug(plain));
    return found ?? loose.get(lettersOf(plain) || plain) ?? null;
  };
}

/** True when a fragment refers to the title of a page. No section needs to begin with the title. */
export function isTitleAnchor(title: string, fragment: string): boolean {
  return anchorFinder([GithubSlugger.slug(title)])(fragment) !== null;
}

function lettersOf(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Minimum number of linked paths of a host. With fewer, matches may be chance: many sites have an `/install`. */
const MIN_PAGES = 5;
const MIN_SHARE = 0.6;

/** A link as written, and the path of its page. */
interface PageLink {
  readonly from: string;
  readonly href: string;
}

/**
 * Guesses where pages are published: a host is taken as a site if pages link to it by absolute URLs and most of these
 * URLs lead to pages of this folder. Each URL counts once, so that one repeated link can't decide.
 * @returns URLs for `linkResolver`, sorted
 */
export function guessSites(links: Iterable<PageLink>, pages: readonly LinkedPage[]): string[] {
  const resolve = linkResolver(pages, []);
  const hosts = new Map<string, Map<string, boolean>>();
  for (const { from, href } of links) {
    const address = siteAddress(href);
    const path = address?.path.replace(/^\/+/, '/') ?? '';
    if (!address || path.length < 2) continue;
    const paths = hosts.get(address.host) ?? new Map<string, boolean>();
    hosts.set(address.host, paths);
    if (paths.get(path) !== true) paths.set(path, resolve(from, path).kind === 'page');
  }
  const isPublishedAt = ([, paths]: [string, Map<string, boolean>]): boolean => {
    const hits = [...paths.values()].filter(Boolean).length;
    return paths.size >= MIN_PAGES && hits >= MIN_SHARE * paths.size;
  };
  return [...hosts]
    .filter(isPublishedAt)
    .map(([host]) => `https://${host}`)
    .sort();
}
