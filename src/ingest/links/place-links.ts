import { decodePath } from '../../core/section-id.js';
import { anchorFinder, isPageAnchor, isTitleAnchor } from './find-anchor.js';
import { guessSites, type PageLink } from './guess-sites.js';
import type { LinkedPage } from './page-table.js';
import { linkResolver } from './resolve-links.js';

/** What fragments can mean on a page. Places are numbers of the caller's choice. */
export interface PageAnchors {
  /** Places by the anchors of their headings. */
  readonly headings: ReadonlyMap<string, number>;
  /** Places by other ids of the page; null for an id that lies in no place. */
  readonly ids: ReadonlyMap<string, number | null>;
}

/** Looks up a page by its path. */
export interface PageLookup {
  readonly anchorsOf: (path: string) => PageAnchors;
  /** Null for a page without text. */
  readonly titleOf: (path: string) => string | null;
}

/** Where a link leads. */
export interface PlacedLink {
  /** Path of a page; null where the link leads to none of them. */
  readonly path: string | null;
  /** Null for the page as a whole. */
  readonly place: number | null;
  /** It should lead to a page or heading here, which is not there. */
  readonly isDead: boolean;
}

/** The links of all pages. */
export interface LinkedPages {
  readonly pages: readonly LinkedPage[];
  readonly links: readonly PageLink[];
  /** Where the pages are published. */
  readonly siteUrls: readonly string[];
}

/** Undefined where the page has no such anchor; null where it is on the page but in no place. */
type FindPlace = (fragment: string) => number | null | undefined;

/** Finds the place that a fragment means: as written, else without percent-encoding, else as `anchorFinder` does. */
function placeFinder({ headings, ids }: PageAnchors): FindPlace {
  const named = new Map<string, number | null>([...ids, ...headings]);
  const find = anchorFinder([...headings.keys()]);
  return (fragment) => {
    const exact = [fragment, decodePath(fragment)].find((name) => named.has(name));
    if (exact !== undefined) return named.get(exact);
    const anchor = find(fragment);
    return anchor === null ? undefined : headings.get(anchor);
  };
}

/** Tells where each link leads. A link to a heading that is not there leads to its page. */
export function linkPlacer(
  { pages, links, siteUrls }: LinkedPages,
  { anchorsOf, titleOf }: PageLookup,
): (link: PageLink) => PlacedLink {
  const resolve = linkResolver(pages, siteUrls, guessSites(links, pages));
  const finders = new Map<string, FindPlace>();
  const finderOf = (path: string): FindPlace => {
    const find = finders.get(path) ?? placeFinder(anchorsOf(path));
    finders.set(path, find);
    return find;
  };
  // The title of a page is no place where nothing stands between it and the next heading.
  const isTitle = (path: string, fragment: string): boolean => {
    const title = titleOf(path);
    return title !== null && isTitleAnchor(title, fragment);
  };
  return ({ from, href }) => {
    const target = resolve(from, href);
    if (target.kind !== 'page') return { path: null, place: null, isDead: target.kind === 'unresolved' };
    const { path, anchor } = target;
    if (anchor === null) return { path, place: null, isDead: false };
    const place = finderOf(path)(anchor);
    const isThere = place !== undefined || isPageAnchor(anchor) || isTitle(path, anchor);
    return { path, place: place ?? null, isDead: !isThere };
  };
}
