import { RefusedAddressError } from '../guarded-address.js';
import type { RefusalList } from '../source.js';
import type { FoundPage } from './found-page.js';
import { isPagePath, isSameSite, pageAddress, pageKey, pageStem, type SiteFolder } from './page-address.js';
import { pageContent } from './page-content.js';
import {
  type LlmsPage,
  parseSitemap,
  readLlmsList,
  type Sitemap,
  sitemapText,
  splitLlmsFull,
} from './parse-lists.js';
import type { RobotsRules } from './robots.js';
import type { SiteLimits } from './site-limits.js';
import { isSystemError, type WebAnswer, WebFailure, type WebRequest } from './web-client.js';

export interface ListParts {
  readonly folder: SiteFolder;
  readonly rules: RobotsRules;
  readonly limits: SiteLimits;
  readonly get: (request: WebRequest) => Promise<WebAnswer>;
  readonly signal: AbortSignal;
  readonly refusals: RefusalList;
}

/** A page whose text is known from a list. */
interface TextPage {
  readonly page: FoundPage;
  readonly text: string;
}

export interface ListedPages {
  readonly pages: readonly FoundPage[];
  readonly texts: readonly TextPage[];
  /** A text of the whole site that does not say where its pages are. */
  readonly undivided: LlmsPage | null;
  /** False if a list could not be read now, so that pages can be missing. */
  readonly isWhole: boolean;
}

/**
 * Reads the lists of a site: `llms-full.txt` and `llms.txt`, then the sitemaps of robots.txt, or else that of the folder, or
 * else that of the host.
 * @param first  a page that is known
 */
export async function findLists(parts: ListParts, first: URL): Promise<ListedPages> {
  const { origin, path } = parts.folder;
  const reader = new ListReader(parts);
  const full = await reader.readLlms('llms-full.txt');
  const list = await reader.readLlms('llms.txt');
  const ways = [parts.rules.sitemaps, [`${origin}${path}sitemap.xml`], [`${origin}/sitemap.xml`]];
  for (const addresses of ways) {
    await reader.readSitemaps(addresses);
    if (reader.pages.size > 0) break;
  }
  const merged = new MergedPages([{ url: first, depth: 0, modifiedAt: null }, ...reader.pages.values()]);
  if (list) for (const link of readLlmsList(list.text, list.address)) merged.add(link, parts.folder);
  const split = full ? splitLlmsFull(full.text, full.address) : [];
  const texts = split.flatMap(({ address, text }) => {
    const page = merged.find(address, parts.folder);
    return page ? [{ page, text }] : [];
  });
  return {
    ...{ pages: merged.list(), texts, isWhole: reader.isWhole },
    undivided: split.length === 0 ? full : null,
  };
}

/** The pages of all lists. Those of `llms.txt` can be the Markdown of others. */
class MergedPages {
  private readonly byKey = new Map<string, FoundPage>();
  private readonly keys = new Map<string, string>();

  constructor(pages: readonly FoundPage[]) {
    for (const page of pages) this.set(page);
  }

  list(): FoundPage[] {
    return [...this.byKey.values()];
  }

  add(link: URL, folder: SiteFolder): void {
    const url = pageAddress(link.href, link, folder);
    if (!url || !isPagePath(url.pathname)) return;
    const known = this.known(url);
    if (!/\.md$/i.test(url.pathname)) {
      if (!known) this.set({ url, depth: 0, modifiedAt: null });
      return;
    }
    const page = new URL(url.href.replace(/\.md$/i, ''));
    if (known) this.set({ ...known, markdown: url });
    else if (/\.html?$/i.test(page.pathname))
      this.set({ url: page, depth: 0, modifiedAt: null, markdown: url });
    else this.set({ url, depth: 0, modifiedAt: null });
  }

  /** The page of an address, as other lists write it; null if it is not in the folder. */
  find(address: URL, folder: SiteFolder): FoundPage | null {
    const url = pageAddress(address.href, address, folder);
    return url && (this.known(url) ?? { url, depth: 0, modifiedAt: null });
  }

  private known(url: URL): FoundPage | undefined {
    return this.byKey.get(pageKey(url)) ?? this.byKey.get(this.keys.get(pageStem(url)) ?? '\0');
  }

  private set(page: FoundPage): void {
    const key = pageKey(page.url);
    // The entry of a sitemap has the date.
    this.byKey.set(key, page);
    if (!this.keys.has(pageStem(page.url))) this.keys.set(pageStem(page.url), key);
  }
}

class ListReader {
  readonly pages = new Map<string, FoundPage>();
  isWhole = true;
  private readonly read = new Set<string>();

  constructor(private readonly parts: ListParts) {}

  /** Reads a text from the folder, or else from the root of the host. @returns null if there is none */
  async readLlms(name: string): Promise<LlmsPage | null> {
    const { origin, path } = this.parts.folder;
    for (const folder of new Set([path, '/'])) {
      const answer = await this.get(new URL(`${origin}${folder}${name}`));
      const text = answer?.body.toString('utf8') ?? '';
      if (answer && text.trim() !== '' && !/^\s*</.test(text)) return { address: answer.url, text };
    }
    return null;
  }

  /** Reads sitemaps, and those that they list. */
  async readSitemaps(addresses: readonly string[]): Promise<void> {
    const home = new URL(this.parts.folder.origin);
    const { limits, refusals } = this.parts;
    const waiting = [...addresses];
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const url = URL.canParse(address, home.href) ? new URL(address, home.href) : null;
      if (!url || !isSameSite(home, url) || url.username !== '' || url.password !== '') {
        refusals.add(address.slice(0, 200).replace(/\p{Cc}/gu, ' '), 'a sitemap of another site');
        continue;
      }
      if (this.read.has(url.href) || this.pages.size >= limits.maxPages) continue;
      if (this.read.size >= limits.maxSitemaps) {
        return refusals.add(home.href, `more than ${this.read.size} sitemaps`);
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
    const none = { pages: [], sitemaps: [] };
    const answer = await this.get(url);
    try {
      return answer ? parseSitemap(sitemapText(answer.body, this.parts.limits.maxSitemapBytes)) : none;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.parts.refusals.add(url.href, error.message);
      return none;
    }
  }

  /** @returns null for a list that can't be read */
  private async get(url: URL): Promise<WebAnswer | null> {
    const { get, limits, signal, rules, refusals } = this.parts;
    if (!rules.allows(url.pathname)) return null;
    try {
      const answer = await get({ url, headers: {}, maxBytes: limits.maxSitemapBytes });
      if (answer.status >= 500) this.isWhole = false;
      return answer.status === 200 ? answer : null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebFailure && error.isGone) return null;
      if (!(error instanceof WebFailure || error instanceof RefusedAddressError)) throw error;
      this.isWhole = false;
      refusals.add(url.href, error.message);
      return null;
    }
  }
}

/** The addresses at which sites have the Markdown of a page, in the same order for all pages. */
const WAYS: readonly ((path: string) => string | null)[] = [
  (path) => (path.endsWith('/') ? `${path}index.md` : null),
  (path) => (/[^/]\/$/.test(path) ? `${path.slice(0, -1)}.md` : null),
  (path) => (path.endsWith('.html') ? path.replace(/\.html$/, '.md') : null),
  (path) => (path.endsWith('.html') ? `${path}.md` : null),
  (path) => (/\/[^/.]+$/.test(path) ? `${path}.md` : null),
];

/**
 * Adds the addresses of Markdown to pages, if the site has it beside one of them.
 * @param pages  the first page of the site, and others; one of these is tried
 */
export async function withMarkdownBeside(
  pages: readonly FoundPage[],
  { get, rules, limits, signal }: ListParts,
): Promise<readonly FoundPage[]> {
  const tried = pages
    .slice(1)
    .find(({ markdown, url }) => !markdown && WAYS.some((way) => way(url.pathname)));
  if (!tried) return pages;
  for (const way of WAYS) {
    const url = beside(tried, way);
    if (!url || !rules.allows(url.pathname)) continue;
    const answer = await get({ url, headers: {}, maxBytes: limits.maxPageBytes }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof WebFailure) return null;
      throw error;
    });
    const content = answer?.status === 200 && answer.url.href === url.href ? pageContent(answer) : '';
    if (typeof content !== 'string' && content.extension === 'md') {
      return pages.map((page) => ({ ...page, markdown: page.markdown ?? beside(page, way) }));
    }
  }
  return pages;
}

function beside({ url }: FoundPage, way: (path: string) => string | null): URL | undefined {
  const path = way(url.pathname);
  return path === null ? undefined : new URL(path.replace(/^\/+/, '/'), url.origin);
}
