import type { IncomingHttpHeaders } from 'node:http';
import type { CopiedFile } from '../source.js';

/** A page that is known and not yet read. */
export interface FoundPage {
  readonly url: URL;
  /** Links between the first page and this one. */
  readonly depth: number;
  /** As a sitemap says; null if none does. */
  readonly modifiedAt: string | null;
  /** Where the site has the page as Markdown, if it is known. */
  readonly markdown?: URL;
  /** True for a page that is read although it names another one as its canonical one, which can't be read. */
  readonly isOwn?: boolean;
}

/**
 * The facts about the file of a page that the site gives.
 * @param sameAs  the file of the last copy if it has the same content. Its date stays unless a sitemap has another one: some
 *   sites send the time of the request as that of the change.
 */
export function describeFile(
  page: FoundPage,
  { etag, 'last-modified': lastModified }: IncomingHttpHeaders,
  sameAs: CopiedFile | undefined,
): Omit<CopiedFile, 'path' | 'address'> {
  const time = Date.parse(lastModified ?? '');
  const modifiedAt =
    page.modifiedAt ?? sameAs?.modifiedAt ?? (Number.isNaN(time) ? undefined : new Date(time).toISOString());
  return {
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    ...(isShort(etag) ? { etag } : {}),
    ...(isShort(lastModified) ? { lastModified } : {}),
  };
}

/** Longer headers are not kept for the next copy. */
const MAX_HEADER_CHARS = 200;

const isShort = (header: string | undefined): boolean =>
  header !== undefined && header.length <= MAX_HEADER_CHARS;
