import { InvalidArgumentError } from '../../core/errors.js';
import { VERSION } from '../../core/package-facts.js';
import { GENERATOR_MARK } from '../../ingest/site-marks.js';
import { type AddressPolicy, parseAddress } from '../guarded-address.js';
import {
  type FetchedCopy,
  type FetchRequest,
  type FetchSource,
  type Refusal,
  RefusalList,
  type Source,
} from '../source.js';
import { authorization, sourceSecret } from '../source-secret.js';
import { ACCEPT, SiteCrawl } from './crawl.js';
import { findLists, type ListedPages, withMarkdownBeside } from './find-lists.js';
import { folderAt, isPagePath, pageAddress, pageStem, type SiteFolder } from './page-address.js';
import { PoliteClient, type PoliteParts } from './polite-client.js';
import { AGENT, readContentFacts } from './read-answer.js';
import { NO_RULES, parseRobots, type RobotsRules } from './robots.js';
import { SITE_LIMITS, type SiteLimits } from './site-limits.js';
import { type WebAnswer, WebClient, WebFailure } from './web-client.js';

/** A site: the pages below the folder of its address. */
export interface SiteSource extends Source {
  readonly kind: 'site';
  readonly limits?: Partial<SiteLimits>;
}

const NOT_ALLOWED = 'its robots.txt does not allow it';

interface SiteFailure {
  readonly cause?: unknown;
  readonly hasCopy?: boolean;
}

/** A site that could not be read as a whole. Its last copy stays. */
export class SiteUnreachableError extends InvalidArgumentError {
  /** @param hasCopy  true if the site was read before */
  constructor(address: string, reason: string, { cause, hasCopy = false }: SiteFailure = {}) {
    const stays = hasCopy ? '; the last copy stays until then' : '';
    super(`${address} can't be read: ${reason}.`, {
      reason: 'site_unreachable',
      hint:
        reason === NOT_ALLOWED
          ? `Ask the owner of the site to allow "${AGENT}" in its robots.txt, or give its pages as files or as a repository.`
          : `Open the address in a browser. If it works there, try again later${stays}.`,
      cause,
    });
  }
}

/** Parts that tests replace. */
export interface SiteParts extends Pick<PoliteParts, 'pause' | 'now'>, Pick<AddressPolicy, 'resolve'> {}

/** Reads the pages of a site. @throws SiteUnreachableError, RefusedAddressError, InvalidAddressError */
export const fetchSite: FetchSource<SiteSource> = (request) => siteFetcher({})(request);

/** Makes a fetcher of sites. */
export function siteFetcher(parts: SiteParts): FetchSource<SiteSource> {
  return async (request) => {
    const visit = new SiteVisit(request, parts);
    try {
      return await visit.fetch();
    } finally {
      visit.close();
    }
  };
}

class SiteVisit {
  private readonly home: URL;
  private readonly limits: SiteLimits;
  private readonly client: WebClient;
  private readonly polite: PoliteClient;
  private readonly timeLimit = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly request: FetchRequest<SiteSource>,
    { resolve, ...parts }: SiteParts,
  ) {
    const { source } = request;
    this.home = parseAddress(source.address);
    this.limits = { ...SITE_LIMITS, ...source.limits };
    const signal = AbortSignal.any([request.signal, this.timeLimit.signal]);
    this.timer = setTimeout(() => this.timeLimit.abort(), this.limits.totalMs);
    this.client = new WebClient({
      policy: { allowedHosts: source.allowedHosts, resolve },
      limits: this.limits,
      userAgent: `Pith/${VERSION}`,
      home: this.home,
      authorization: authorization(sourceSecret(source)),
      signal,
    });
    this.polite = new PoliteClient({ client: this.client, limits: this.limits, signal, ...parts });
  }

  close(): void {
    clearTimeout(this.timer);
    this.client.close();
  }

  async fetch(): Promise<FetchedCopy> {
    const first = await this.orUnreachable(() => this.readFirst());
    const folder = this.folderFor(first.url);
    const rules =
      folder.origin === this.home.origin
        ? this.rules
        : await this.orUnreachable(() => this.readRobots(folder.origin));
    const refusals = new RefusalList(this.limits.maxRefusals, (further) => ({
      address: this.shown,
      reason: `${further} further pages were not read`,
    }));
    const parts = {
      ...{ folder, rules, refusals, limits: this.limits, signal: this.request.signal },
      get: this.polite.get.bind(this.polite),
    };
    const url = pageAddress(first.url.href, first.url, folder) ?? first.url;
    const listed = await this.orUnreachable(() => findLists(parts, url));
    const followsLinks = isPartial(listed, first, folder);
    const pages = followsLinks
      ? listed.pages
      : await this.orUnreachable(() => withMarkdownBeside(listed.pages, parts));
    const crawl = new SiteCrawl({
      ...{ ...parts, followsLinks, request: this.request },
      concurrency: this.polite.isDelayed ? 1 : this.limits.concurrency,
      stopReason: () => this.stopReason(),
    });
    for (const { page, text } of listed.texts) crawl.addText(page, text);
    for (const page of pages) crawl.add(page);
    if (!listed.isWhole) crawl.addPrevious();
    await crawl.run(first);
    // Headings of Markdown have the anchors that the generator of the site makes.
    crawl.writer.mark(GENERATOR_MARK, readContentFacts(first.body, 'html', first.url).generator);
    const { undivided } = listed;
    // Pages that programs make in the browser have no text and no links.
    if (undivided && crawl.writer.size < 2)
      crawl.addText({ url: undivided.address, depth: 0, modifiedAt: null }, undivided.text);
    return this.finish(crawl, refusals.list());
  }

  private finish(crawl: SiteCrawl, refused: readonly Refusal[]): FetchedCopy {
    const { size } = crawl.writer;
    if (size === 0) {
      throw this.unreachable(`no page was read (${refused[0]?.reason ?? 'none was found'})`, crawl.failure);
    }
    this.request.report(
      `${size} ${size === 1 ? 'page' : 'pages'}, ${crawl.changed} new or changed, ${refused.length} refused; ${this.client.requests} requests`,
    );
    if (size === 1) this.request.report(`only one page was found below ${this.shown}`);
    return { ...crawl.writer.finish(), refused };
  }

  private rules: RobotsRules = NO_RULES;

  /** The address without its query, which can contain a token. */
  private get shown(): string {
    return this.home.origin + this.home.pathname;
  }

  private async readFirst(): Promise<WebAnswer> {
    this.rules = await this.readRobots(this.home.origin);
    if (!this.rules.allows(this.home.pathname)) throw new WebFailure(NOT_ALLOWED);
    const answer = await this.polite.get({
      url: pageUrl(this.home),
      headers: { accept: ACCEPT },
      maxBytes: this.limits.maxPageBytes,
      refuseRedirect: ({ origin, pathname }) =>
        origin === this.home.origin && !this.rules.allows(pathname) ? NOT_ALLOWED : null,
    });
    if (answer.status >= 500) throw new WebFailure(`the site answered ${answer.status}`);
    return answer;
  }

  private async readRobots(origin: string): Promise<RobotsRules> {
    const { maxRobotsBytes } = this.limits;
    const url = new URL('/robots.txt', origin);
    const rules = await this.polite.get({ url, headers: {}, maxBytes: maxRobotsBytes, isCut: true }).then(
      ({ status, body }) => {
        // Nothing may be read while the rules are not known (RFC 9309).
        if (status >= 500) throw new WebFailure(`its robots.txt can't be read (${status})`);
        return status === 200 ? parseRobots(body.toString('utf8'), AGENT) : NO_RULES;
      },
      (error: unknown) => {
        if (error instanceof WebFailure && error.isGone) return NO_RULES;
        throw error;
      },
    );
    this.polite.setDelay(rules.crawlDelayMs);
    return rules;
  }

  /** The folder of the address, or that of the page that it leads to elsewhere on its site. */
  private folderFor(first: URL): SiteFolder {
    const { path } = folderAt(this.home);
    return first.pathname.startsWith(path) ? { origin: first.origin, path } : folderAt(first);
  }

  private stopReason(): string | null {
    if (this.timeLimit.signal.aborted) return 'the limit of time was reached';
    return this.client.bytes > this.limits.maxTotalBytes ? 'the limit of bytes was reached' : null;
  }

  private readonly unreachable = (reason: string, cause: unknown): SiteUnreachableError =>
    new SiteUnreachableError(this.shown, reason, { cause, hasCopy: this.request.previous !== null });

  private async orUnreachable<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      this.request.signal.throwIfAborted();
      if (error instanceof WebFailure) throw this.unreachable(error.message, error);
      if (this.timeLimit.signal.aborted) throw this.unreachable('it is too slow', error);
      throw error;
    }
  }
}

function pageUrl(address: URL): URL {
  const url = new URL(address);
  url.hash = '';
  return url;
}

/** True if lists name no further page, or lack most of the pages that the first page links to. */
function isPartial({ pages, texts }: ListedPages, first: WebAnswer, folder: SiteFolder): boolean {
  if (pages.length + texts.length < 2) return true;
  const listed = new Set([...pages, ...texts.map(({ page }) => page)].map(({ url }) => pageStem(url)));
  const stems = readContentFacts(first.body, 'html', first.url)
    .links()
    .flatMap((link) => {
      const url = pageAddress(link.href, first.url, folder);
      return url && isPagePath(url.pathname) ? [pageStem(url)] : [];
    });
  const linked = new Set(stems);
  const missing = [...linked].filter((stem) => !listed.has(stem));
  return 2 * missing.length > linked.size;
}
