/** A page that is known and not yet read. */
export interface FoundPage {
  readonly url: URL;
  /** Links between the first page and this one. */
  readonly depth: number;
  /** As a sitemap says; null if none does. */
  readonly modifiedAt: string | null;
  /** True for a page that is read although it names another one as its canonical one, which can't be read. */
  readonly isOwn?: boolean;
}

/** A date without a time says nothing about two changes of one day, which can end this much later in other zones (ms). */
const DATE_IS_PAST_MS = 36 * 3_600_000;

/** When a page changed: as the sitemap says, or else the site. */
export function modification(
  page: FoundPage,
  lastModified: string | undefined,
): { readonly modifiedAt?: string } {
  if (page.modifiedAt !== null) return { modifiedAt: page.modifiedAt };
  const time = Date.parse(lastModified ?? '');
  return Number.isNaN(time) ? {} : { modifiedAt: new Date(time).toISOString() };
}

/**
 * True if a date that is the same as before means that the page is the same.
 * @param checkedAt  when the page was last compared (ms since the epoch)
 */
export function isCertain(modifiedAt: string, checkedAt: number): boolean {
  return modifiedAt.includes('T') || checkedAt - Date.parse(modifiedAt) > DATE_IS_PAST_MS;
}
