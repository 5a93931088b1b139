import type { LinkedPage } from './page-table.js';
import { linkResolver } from './resolve-links.js';
import { siteAddress } from './site-address.js';

/** Fewer matching paths may be a coincidence: many sites have an `/install`. */
const MIN_PAGES = 5;
const MIN_SHARE = 0.6;

/** A link as written, and the path of its page. */
export interface PageLink {
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
  return [...hosts]
    .flatMap(([host, paths]) => (isPublishedThere([...paths.values()]) ? [`https://${host}`] : []))
    .sort();
}

function isPublishedThere(hits: readonly boolean[]): boolean {
  return hits.length >= MIN_PAGES && hits.filter(Boolean).length >= MIN_SHARE * hits.length;
}
