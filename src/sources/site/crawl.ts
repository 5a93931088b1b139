import { extname } from 'node:path';
import { RefusedAddressError } from '../guarded-address.js';
import type { CopiedFile, FetchRequest, RefusalList } from '../source.js';
import { CopyWriter } from './copy-writer.js';
import { describeFile, type FoundPage } from './found-page.js';
import { isPagePath, pageAddress, pageKey, pageStem, type SiteFolder } from './page-address.js';
import { type PageContent, pageContent } from './page-content.js';
import { PreviousPages } from './previous-pages.js';
import { readAnswer, readContentFacts } from './read-answer.js';
import type { RobotsRules } from './robots.js';
import type { SiteLimits } from './site-limits.js';
import { type WebAnswer, WebFailure, type WebRequest } from './web-client.js';

/** Markdown first; sites that have none ignore it. */
export const ACCEPT =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.8, text/plain;q=0.7, */*;q=0.1';

export interface CrawlParts {
  readonly request: FetchRequest;
  readonly folder: SiteFolder;
  readonly rules: RobotsRules;
  readonly limits: SiteLimits;
  /** True to read the pages that pages link to. */
  readonly followsLinks: boolean;
  readonly concurrency: number;
  readonly refusals: RefusalList;
  readonly get: (request: WebRequest) => Promise<WebAnswer>;
  /** The reason to read nothing further; null if there is none. */
  readonly stopReason: () => string | null;
}

/** Pages that are asked for to find out if pages with such dates have changed. */
const SAMPLE = 8;

/** Reads the pages of a site into a copy. */
export class SiteCrawl {
  readonly writer: CopyWriter;
  /** Pages that were read and differ from the previous copy, or are new. */
  changed = 0;
  private readonly known = new Set<string>();
  private queue: FoundPage[] = [];
  private readonly previous: PreviousPages;
  private ignored = 0;
  /** Pages that named another one as theirs, by their keys, with its key. */
  private readonly led = new Map<string, { readonly page: FoundPage; readonly to: string }>();
  private readonly missed = new Set<string>();
  /** The last failure that does not mean that a page is gone, else the first one. */
  failure: Error | null = null;
  private fatal: unknown;

  constructor(private readonly parts: CrawlParts) {
    const { folder, previous } = parts.request;
    this.previous = new PreviousPages(previous);
    this.writer = new CopyWriter(folder, this.previous);
  }

  /** Adds a page, unless it is known. */
  add(page: FoundPage): void {
    const key = pageKey(page.url);
    if (this.known.has(key)) return;
    if (this.known.size >= this.parts.limits.maxPages || page.depth > this.parts.limits.maxDepth) {
      this.ignored++;
      return;
    }
    this.known.add(key);
    // Links lead to the page, and not to its Markdown.
    if (/\.md$/i.test(key)) this.known.add(pageStem(page.url));
    this.queue.push(page);
  }

  /** Adds the pages of the previous copy, which can be missing in lists that were not read. */
  addPrevious(): void {
    for (const { address } of this.previous.files) {
      const url = pageAddress(address, new URL(address), this.parts.folder);
      if (url) this.add({ url, depth: 0, modifiedAt: null });
    }
  }

  /** Adds a page whose text is known. */
  addText(page: FoundPage, text: string): void {
    const key = pageKey(page.url);
    if (this.known.has(key) || this.refuseAddress(page.url) !== null) return;
    this.known.add(key);
    this.write(page, page.url, { content: { extension: 'md', bytes: Buffer.from(text) }, headers: {} });
  }

  /**
   * Reads all pages that are known, and those that they lead to.
   * @param first  the answer for the page that was added first, which is not asked for again
   * @throws the reason of the signal of the request
   */
  async run(first: WebAnswer): Promise<void> {
    const [page] = this.queue;
    if (page && pageKey(page.url) === pageKey(first.url)) {
      this.queue.shift();
      await this.visit(page, () => this.take(page, first));
    }
    await this.askSample();
    // Where the time does not suffice for all pages, the next copy has those that this one lacks.
    const isKnown = ({ url }: FoundPage): number => Number(this.previous.find(url) !== undefined);
    this.queue.sort((a, b) => isKnown(a) - isKnown(b));
    await this.readQueue();
    const reason = this.parts.stopReason();
    if (reason !== null) this.keepRest(reason);
    if (this.ignored === 0) return;
    this.parts.refusals.add(this.home, `${this.ignored} links exceed the limits of pages and depth`);
  }

  private async ask(page: FoundPage): Promise<void> {
    const refusal = this.refuseAddress(page.url);
    if (refusal !== null) throw new WebFailure(refusal, true);
    if (page.markdown && (await this.askMarkdown(page, page.markdown))) return;
    this.take(page, await this.get(page.url, page));
  }

  /** @returns false if the site does not have the page as Markdown */
  private async askMarkdown(page: FoundPage, url: URL): Promise<boolean> {
    if (this.refuseAddress(url) !== null) return false;
    const answer = await this.get(url, page).catch((error: unknown) => {
      if (error instanceof WebFailure && this.parts.stopReason() === null) return null;
      throw error;
    });
    const old = this.previous.find(page.url);
    if (answer?.status === 304 && old) this.keep(old, page);
    const content = answer?.status === 200 ? pageContent(answer) : '';
    if (answer && typeof content !== 'string' && content.extension === 'md') {
      this.write(page, page.url, { content, headers: answer.headers });
      return true;
    }
    return answer?.status === 304;
  }

  private get(url: URL, page: FoundPage): Promise<WebAnswer> {
    return this.parts.get({
      url,
      headers: {
        accept: ACCEPT,
        ...this.previous.validators(url === page.url ? { ...page, markdown: undefined } : page),
      },
      maxBytes: this.parts.limits.maxPageBytes,
      refuseRedirect: (target) => this.refuseAddress(target),
    });
  }

  /** @throws WebFailure */
  private take(page: FoundPage, answer: WebAnswer): void {
    const old = this.previous.find(page.url);
    if (answer.status === 304 && old) return this.keep(old, page);
    const read = readAnswer(answer, this.parts.folder);
    const { url, canonical, refresh } = read;
    if (!this.claims(page, url)) return;
    const found = { ...page, url };
    this.follow(read.links, found);
    if (refresh && pageKey(refresh) !== pageKey(url)) {
      this.lead(found, refresh);
      throw new WebFailure('it leads to another page at once', true);
    }
    if (read.isNoindex) throw new WebFailure('noindex', true);
    if (canonical && this.isElsewhere(canonical, found)) return this.lead(found, canonical);
    const isSamePage = canonical !== null && pageKey(canonical) === pageKey(url);
    this.write(found, isSamePage ? canonical : url, { content: read.content, headers: answer.headers });
  }

  private write(
    page: FoundPage,
    address: URL,
    { content, headers }: { readonly content: PageContent; readonly headers: WebAnswer['headers'] },
  ): void {
    const isSame = this.previous.isSame(page.url, content.bytes);
    if (!isSame) this.changed++;
    const sameAs = isSame ? this.previous.find(page.url) : undefined;
    this.writer.write({ address: address.href, ...describeFile(page, headers, sameAs) }, content);
  }

  /** @returns false if the page is the one of another address, which is known */
  private claims(page: FoundPage, url: URL): boolean {
    const key = pageKey(url);
    if (key === pageKey(page.url)) return true;
    if (this.known.has(key)) return false;
    this.known.add(key);
    return true;
  }

  private isElsewhere(canonical: URL, { url, isOwn }: FoundPage): boolean {
    const key = pageKey(canonical);
    // Some sites name their first page as the canonical one of all. Of two pages that name each other, one is kept.
    const isFirst = key === pageKey(new URL(this.home));
    return !isOwn && key !== pageKey(url) && !isFirst && !this.led.has(key) && !this.missed.has(key);
  }

  /** Reads another page instead of this one. */
  private lead(page: FoundPage, target: URL): void {
    const url = pageAddress(target.href, page.url, this.parts.folder);
    if (!url) return;
    this.led.set(pageKey(page.url), { page, to: pageKey(url) });
    this.add({ url, depth: page.depth + 1, modifiedAt: null });
  }

  private follow(links: () => readonly URL[], { url, depth }: FoundPage): void {
    if (!this.parts.followsLinks) return;
    for (const link of links()) {
      const target = pageAddress(link.href, url, this.parts.folder);
      if (target && isPagePath(target.pathname))
        this.add({ url: target, depth: depth + 1, modifiedAt: null });
    }
  }

  private keep(old: CopiedFile, page: FoundPage, isCurrent = true): void {
    this.writer.keep({ ...old, modifiedAt: page.modifiedAt ?? old.modifiedAt }, isCurrent);
    if (!this.parts.followsLinks) return;
    const url = new URL(old.address);
    this.follow(readContentFacts(this.previous.bytes(old), extname(old.path).slice(1), url).links, page);
  }

  private refuseAddress(url: URL): string | null {
    return this.parts.rules.allows(url.pathname) ? null : 'robots.txt does not allow it';
  }

  private get home(): string {
    return this.parts.folder.origin + this.parts.folder.path;
  }

  /** Asks for some of the pages whose dates are the same but not past. If none has changed, the dates are believed. */
  private async askSample(): Promise<void> {
    const { queue, previous } = this;
    const doubtful = queue.filter((page) => previous.hasSameDate(page) && !previous.isUnchanged(page));
    if (doubtful.length <= SAMPLE) return;
    const numbers = Array.from({ length: SAMPLE }, (_, i) => Math.floor((i * doubtful.length) / SAMPLE));
    const sample = new Set(numbers.map((number) => doubtful[number]));
    const before = this.changed;
    this.queue = queue.filter((page) => sample.has(page));
    await this.readQueue();
    this.queue.push(...queue.filter((page) => !sample.has(page)));
    previous.believesDates = this.changed === before;
  }

  private async readQueue(): Promise<void> {
    const running = new Set<Promise<void>>();
    for (;;) {
      while (
        running.size < this.parts.concurrency &&
        this.fatal === undefined &&
        this.parts.stopReason() === null
      ) {
        const page = this.queue.shift();
        if (!page) break;
        const visit = this.visit(page, () => this.read(page)).finally(() => running.delete(visit));
        running.add(visit);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    if (this.fatal !== undefined) throw this.fatal;
  }

  private async read(page: FoundPage): Promise<void> {
    const old = this.previous.find(page.url);
    if (old && this.previous.isUnchanged(page)) this.keep(old, page, false);
    else await this.ask(page);
  }

  private async visit(page: FoundPage, read: () => void | Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.fail(page, error);
    }
  }

  private fail(page: FoundPage, error: unknown): void {
    const { signal } = this.parts.request;
    if (signal.aborted) this.fatal ??= signal.reason;
    else if (this.parts.stopReason() !== null) this.queue.push(page);
    else if (error instanceof WebFailure || error instanceof RefusedAddressError) this.miss(page, error);
    else this.fatal ??= error;
  }

  private miss(page: FoundPage, error: Error): void {
    const old = this.previous.find(page.url);
    const isGone = error instanceof WebFailure && error.isGone;
    const stays = old !== undefined && !isGone;
    if (this.failure === null || !isGone) this.failure = error;
    this.parts.refusals.add(page.url.href, stays ? `${error.message}; its old text stays` : error.message);
    if (stays) return this.keep(old, page, false);
    const key = pageKey(page.url);
    this.missed.add(key);
    const naming = [...this.led.values()].filter(({ to }) => to === key);
    this.queue.push(...naming.map((each) => ({ ...each.page, isOwn: true })));
  }

  /** Keeps the old text of the pages that there was no time for. */
  private keepRest(reason: string): void {
    const rest = new Set(this.queue.map(({ url }) => pageKey(url)));
    for (const file of this.previous.files) {
      const key = pageKey(new URL(file.address));
      if (rest.has(key) || !this.known.has(key)) this.writer.keep(file, false);
    }
    this.parts.refusals.add(this.home, `${reason}; ${rest.size} pages were not read`);
  }
}
