import { extname } from 'node:path';
import { RefusedAddressError } from '../guarded-address.js';
import type { CopiedFile, FetchRequest, Refusal } from '../source.js';
import { CopyWriter } from './copy-writer.js';
import { type FoundPage, isCertain, modification } from './found-page.js';
import { isPagePath, pageAddress, pageKey, type SiteFolder } from './page-address.js';
import { type AnsweredPage, readAnswer, readFacts } from './read-answer.js';
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
  private readonly refusals: Refusal[] = [];
  private moreRefusals = 0;
  private readonly known = new Set<string>();
  private queue: FoundPage[] = [];
  private readonly previous: ReadonlyMap<string, CopiedFile>;
  private ignored = 0;
  /** Pages that named another one as theirs, by their keys, with its key. */
  private readonly led = new Map<string, { readonly page: FoundPage; readonly to: string }>();
  private fatal: unknown;
  /** True if dates without a time are believed, because a sample of pages with them has not changed. */
  private believesDates = false;

  constructor(private readonly parts: CrawlParts) {
    const { folder, previous } = parts.request;
    this.writer = new CopyWriter(folder, previous);
    const files = previous?.copy.files ?? [];
    this.previous = new Map(files.map((file) => [pageKey(new URL(file.address)), file]));
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
    this.queue.push(page);
  }

  /** Adds the pages of the previous copy, which can be missing in lists that were not read. */
  addPrevious(): void {
    for (const { address } of this.previous.values()) {
      const url = pageAddress(address, new URL(address), this.parts.folder);
      if (url) this.add({ url, depth: 0, modifiedAt: null });
    }
  }

  refuse(address: string, reason: string): void {
    if (this.refusals.length < this.parts.limits.maxRefusals) this.refusals.push({ address, reason });
    else this.moreRefusals++;
  }

  /** Reads all pages that are known, and those that they lead to. @throws the reason of the signal of the request */
  async run(): Promise<void> {
    await this.askSample();
    await this.readQueue();
    const reason = this.parts.stopReason();
    if (reason !== null) this.keepRest(reason);
    if (this.ignored > 0)
      this.refuse(this.home, `${this.ignored} links exceed the limits of pages and depth`);
  }

  /** Sorted by address. */
  listRefusals(): Refusal[] {
    const sorted = [...this.refusals].sort((a, b) => (a.address < b.address ? -1 : 1));
    const more = { address: this.home, reason: `${this.moreRefusals} further pages were not read` };
    return this.moreRefusals > 0 ? [...sorted, more] : sorted;
  }

  /** The request for a page, which the site can answer by "not modified" if the previous copy has it. */
  private requestFor({ url }: FoundPage): WebRequest {
    const old = this.previous.get(pageKey(url));
    const isThere = old !== undefined && this.writer.checkedAt(old) !== null;
    return {
      url,
      headers: {
        accept: ACCEPT,
        ...(isThere && old.etag ? { 'if-none-match': old.etag } : {}),
        ...(isThere && old.lastModified ? { 'if-modified-since': old.lastModified } : {}),
      },
      maxBytes: this.parts.limits.maxPageBytes,
      refuseRedirect: (target) => this.refuseAddress(target),
    };
  }

  /** Takes the answer for the first page. */
  takeFirst(page: FoundPage, answer: WebAnswer): void {
    this.known.add(pageKey(page.url));
    try {
      this.take(page, answer);
    } catch (error) {
      this.fail(page, error);
    }
  }

  /** @throws WebFailure */
  private take(page: FoundPage, answer: WebAnswer): void {
    const old = this.previous.get(pageKey(page.url));
    if (answer.status === 304 && old) return this.keep(old, page);
    const read = readAnswer(answer, this.parts.folder);
    if (!this.claims(page, read.url)) return;
    const found = { ...page, url: read.url };
    this.follow(read.links, found);
    if (read.refresh && pageKey(read.refresh) !== pageKey(read.url)) {
      this.lead(found, read.refresh);
      throw new WebFailure('it leads to another page at once', true);
    }
    if (read.isNoindex) throw new WebFailure('noindex', true);
    if (read.canonical && this.isElsewhere(read.canonical, found)) return this.lead(found, read.canonical);
    this.write(found, read, answer);
  }

  private write(page: FoundPage, { content, canonical, url }: AnsweredPage, { headers }: WebAnswer): void {
    const old = this.previous.get(pageKey(url));
    if (!old || !this.writer.isSame(old, content.bytes)) this.changed++;
    const { etag, 'last-modified': lastModified } = headers;
    const isSamePage = canonical !== null && pageKey(canonical) === pageKey(url);
    this.writer.write(
      {
        address: (isSamePage ? canonical : url).href,
        ...modification(page, lastModified),
        ...(etag ? { etag } : {}),
        ...(lastModified ? { lastModified } : {}),
      },
      content,
    );
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
    return !isOwn && key !== pageKey(url) && !isFirst && !this.led.has(key);
  }

  /** Reads another page instead of this one. */
  private lead(page: FoundPage, target: URL): void {
    const url = pageAddress(target.href, page.url, this.parts.folder);
    if (!url) return;
    this.led.set(pageKey(page.url), { page, to: pageKey(url) });
    this.add({ url, depth: page.depth + 1, modifiedAt: null });
  }

  private follow(links: readonly URL[], { url, depth }: FoundPage): void {
    if (!this.parts.followsLinks) return;
    for (const link of links) {
      const target = pageAddress(link.href, url, this.parts.folder);
      if (target && isPagePath(target.pathname))
        this.add({ url: target, depth: depth + 1, modifiedAt: null });
    }
  }

  private keep(old: CopiedFile, page: FoundPage, isCurrent = true): void {
    this.writer.keep({ ...old, ...modification(page, undefined) }, isCurrent);
    if (!this.parts.followsLinks) return;
    const url = new URL(old.address);
    this.follow(readFacts(this.writer.previousBytes(old), extname(old.path).slice(1), url).links, page);
  }

  private refuseAddress(url: URL): string | null {
    return this.parts.rules.allows(url.pathname) ? null : 'robots.txt does not allow it';
  }

  private get home(): string {
    return this.parts.folder.origin + this.parts.folder.path;
  }

  private isUnchanged(page: FoundPage, old: CopiedFile): boolean {
    const checkedAt = this.writer.checkedAt(old);
    if (page.modifiedAt === null || page.modifiedAt !== old.modifiedAt || checkedAt === null) return false;
    return this.believesDates || isCertain(page.modifiedAt, checkedAt);
  }

  /** Asks for some of the pages whose dates are the same but not past. If none has changed, the dates are believed. */
  private async askSample(): Promise<void> {
    const isDoubtful = (page: FoundPage): boolean => {
      const old = this.previous.get(pageKey(page.url));
      return old !== undefined && page.modifiedAt === old.modifiedAt && !this.isUnchanged(page, old);
    };
    const doubtful = this.queue.filter((page) => page.modifiedAt !== null && isDoubtful(page));
    if (doubtful.length <= SAMPLE) return;
    const sample = Array.from(
      { length: SAMPLE },
      (_, i) => doubtful[Math.floor((i * doubtful.length) / SAMPLE)],
    );
    const rest = this.queue.filter((page) => !sample.includes(page));
    const before = this.changed;
    this.queue = this.queue.filter((page) => sample.includes(page));
    await this.readQueue();
    this.queue.push(...rest);
    this.believesDates = this.changed === before;
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
        const visit = this.visit(page).finally(() => running.delete(visit));
        running.add(visit);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    if (this.fatal !== undefined) throw this.fatal;
  }

  private async visit(page: FoundPage): Promise<void> {
    const old = this.previous.get(pageKey(page.url));
    const refusal = this.refuseAddress(page.url);
    try {
      if (old && this.isUnchanged(page, old)) this.keep(old, page, false);
      else if (refusal !== null) this.refuse(page.url.href, refusal);
      else this.take(page, await this.parts.get(this.requestFor(page)));
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
    const old = this.previous.get(pageKey(page.url));
    const stays = old !== undefined && !(error instanceof WebFailure && error.isGone);
    this.refuse(page.url.href, stays ? `${error.message}; its old text stays` : error.message);
    if (stays) return this.keep(old, page, false);
    const naming = [...this.led.values()].filter(({ to }) => to === pageKey(page.url));
    this.queue.push(...naming.map((each) => ({ ...each.page, isOwn: true })));
  }

  /** Keeps the old text of the pages that there was no time for. */
  private keepRest(reason: string): void {
    const asked = this.queue.length;
    const rest = new Set(this.queue.map(({ url }) => pageKey(url)));
    for (const [key, file] of this.previous) {
      if (rest.has(key) || !this.known.has(key)) this.writer.keep(file, false);
    }
    this.refuse(this.home, `${reason}; ${asked} pages were not read`);
  }
}
