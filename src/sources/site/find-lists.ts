import { RefusedAddressError } from '../guarded-address.js';
import type { FoundPage } from './found-page.js';
import { isPagePath, isSameSite, pageAddress, pageKey, type SiteFolder } from './page-address.js';
import type { RefusalList } from './refusal-list.js';
import type { RobotsRules } from './robots.js';
import type { SiteLimits } from './site-limits.js';
import { parseSitemap, type Sitemap, sitemapText } from './sitemap.js';
import { isSystemError, type WebAnswer, WebFailure, type WebRequest } from './web-client.js';

export interface ListParts {
  readonly folder: SiteFolder;
  readonly rules: RobotsRules;
  readonly limits: SiteLimits;
  readonly get: (request: WebRequest) => Promise<WebAnswer>;
  readonly signal: AbortSignal;
  readonly refusals: RefusalList;
}

export interface ListedPages {
  readonly pages: readonly FoundPage[];
  /** False if a list could not be read now, so that pages can be missing. */
  readonly isWhole: boolean;
}

/** Reads the sitemaps of a folder: those of robots.txt, or else that of the folder, or else that of the host. */
export async function findSitemapPages(parts: ListParts): Promise<ListedPages> {
  const { origin, path } = parts.folder;
  const reader = new SitemapReader(parts);
  const ways = [parts.rules.sitemaps, [`${origin}${path}sitemap.xml`], [`${origin}/sitemap.xml`]];
  for (const addresses of ways) {
    await reader.readAll(addresses);
    if (reader.pages.size > 0) break;
  }
  return { pages: [...reader.pages.values()], isWhole: reader.isWhole };
}

class SitemapReader {
  readonly pages = new Map<string, FoundPage>();
  isWhole = true;
  private readonly read = new Set<string>();

  constructor(private readonly parts: ListParts) {}

  /** Reads sitemaps, and those that they list. */
  async readAll(addresses: readonly string[]): Promise<void> {
    const home = new URL(this.parts.folder.origin);
    const waiting = [...addresses];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const url = URL.canParse(address, home.href) ? new URL(address, home.href) : null;
      if (!url || !isSameSite(home, url) || url.username !== '' || url.password !== '') {
        this.parts.refusals.add(address.slice(0, 200), 'a sitemap of another site');
        continue;
      }
      if (this.read.has(url.href) || this.pages.size >= this.parts.limits.maxPages) continue;
      if (this.read.size >= this.parts.limits.maxSitemaps) {
        this.parts.refusals.add(home.href, `more than ${this.read.size} sitemaps`);
        return;
      }
      this.read.add(url.href);
      waiting.push(...this.take(await this.readSitemap(url)));
    }
  }

  private take({ pages, sitemaps }: Sitemap): readonly string[] {
    const { folder, limits } = this.parts;
    for (const { address, modifiedAt } of pages) {
      const url = pageAddress(address, new URL(folder.origin), folder);
      if (!url || !isPagePath(url.pathname) || this.pages.size >= limits.maxPages) continue;
      this.pages.set(pageKey(url), { url, depth: 0, modifiedAt });
    }
    return sitemaps.slice(0, limits.maxSitemaps);
  }

  private async readSitemap(url: URL): Promise<Sitemap> {
    const { get, limits, signal, rules } = this.parts;
    const none = { pages: [], sitemaps: [] };
    if (!rules.allows(url.pathname)) return none;
    try {
      const { status, body } = await get({ url, headers: {}, maxBytes: limits.maxSitemapBytes });
      if (status >= 500 || status === 429) this.isWhole = false;
      return status === 200 ? parseSitemap(sitemapText(body, limits.maxSitemapBytes)) : none;
    } catch (error) {
      signal.throwIfAborted();
      const isUnread = error instanceof WebFailure && error.isGone;
      if (!isUnread) this.isWhole = false;
      if (!isExpected(error)) throw error;
      this.parts.refusals.add(url.href, error.message);
      return none;
    }
  }
}

/** True for a failure of the site, and for data that can't be unpacked. */
const isExpected = (error: unknown): error is Error =>
  error instanceof WebFailure ||
  error instanceof RefusedAddressError ||
  (isSystemError(error) && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(error.code));
