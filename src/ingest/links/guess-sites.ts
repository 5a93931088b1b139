import type { LinkedPage } from '../page-table.js';
import { linkResolver } from './resolve-links.js';
import { siteAddress } from './site-address.js';

/** Fewer pages of a host may be there by chance: many sites have an `/install`. */
const MIN_PAGES = 5;
const MIN_SHARE = 0.6;

/** A link as written, and the path of the page that it stands on. */
export interface PageLink {
  readonly from: string;
  readonly href: string;
}

/**
 * Guesses where pages are published: hosts that they link to by whole addresses, of which most are pages here.
 * Different addresses count, lest one link that stands everywhere decides.
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
    .flatMap(([host, paths]) => (isOwn([...paths.values()]) ? [`https://${host}`] : []))
    .sort();
}

function isOwn(hits: readonly boolean[]): boolean {
  return hits.length >= MIN_PAGES && hits.filter(Boolean).length >= MIN_SHARE * hits.length;
}
