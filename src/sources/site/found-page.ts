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

/** When a page changed: as the sitemap says, or else the site. */
export function modification(
  page: FoundPage,
  lastModified: string | undefined,
): { readonly modifiedAt?: string } {
  if (page.modifiedAt !== null) return { modifiedAt: page.modifiedAt };
  const time = Date.parse(lastModified ?? '');
  return Number.isNaN(time) ? {} : { modifiedAt: new Date(time).toISOString() };
}
