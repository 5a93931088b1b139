import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CopiedFile, FetchRequest } from '../source.js';
import type { FoundPage } from './found-page.js';
import { pageKey } from './page-address.js';

/** A date without a time says nothing about two changes of one day, which can end this much later in other zones (ms). */
const DATE_IS_PAST_MS = 36 * 3_600_000;

/** The files of the previous copy that are still there. */
export class PreviousPages {
  private readonly folder: string;
  private readonly byKey: ReadonlyMap<string, CopiedFile>;
  /** True if dates without a time are believed, because a sample of pages with them has not changed. */
  believesDates = false;

  constructor(previous: FetchRequest['previous']) {
    const { folder, copy } = previous ?? { folder: '', copy: { files: [] } };
    this.folder = folder;
    const files = copy.files.filter(({ path }) => existsSync(join(folder, path)));
    this.byKey = new Map(files.map((file) => [pageKey(new URL(file.address)), file]));
  }

  get files(): CopiedFile[] {
    return [...this.byKey.values()];
  }

  find(url: URL): CopiedFile | undefined {
    return this.byKey.get(pageKey(url));
  }

  place({ path }: CopiedFile): string {
    return join(this.folder, path);
  }

  bytes(file: CopiedFile): Buffer {
    return readFileSync(this.place(file));
  }

  isSame(url: URL, bytes: Buffer): boolean {
    const old = this.find(url);
    return old !== undefined && this.bytes(old).equals(bytes);
  }

  /** Headers with which a site answers "not modified". */
  validators({ url, markdown }: FoundPage): Record<string, string> {
    const old = this.find(url);
    // The validators of a page in HTML say nothing about its Markdown.
    if (!old || (markdown && !old.path.endsWith('.md'))) return {};
    return {
      ...(old.etag ? { 'if-none-match': old.etag } : {}),
      ...(old.lastModified ? { 'if-modified-since': old.lastModified } : {}),
    };
  }

  /** True if the page has the date of its last copy. */
  hasSameDate({ url, modifiedAt }: FoundPage): boolean {
    return modifiedAt !== null && this.find(url)?.modifiedAt === modifiedAt;
  }

  /** True if the page is known to be the same without a request. */
  isUnchanged(page: FoundPage): boolean {
    const old = this.find(page.url);
    if (!old || !this.hasSameDate(page) || page.modifiedAt === null) return false;
    // The time of a file is when it was last compared with the site.
    const isPast = (): boolean =>
      statSync(this.place(old)).mtimeMs - Date.parse(page.modifiedAt ?? '') > DATE_IS_PAST_MS;
    return this.believesDates || page.modifiedAt.includes('T') || isPast();
  }
}
