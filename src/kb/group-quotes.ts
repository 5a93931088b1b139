/** Where a quote is. */
export interface QuotePlace {
  readonly sectionId: string;
  readonly start: number;
}

/** The part of a section id that names the page. Paths in ids contain no `#`. */
export function pagePath(sectionId: string): string {
  return sectionId.replace(/#.*$/s, '');
}

function byKey<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/**
 * Groups quotes by section. Sections of one page are next to each other.
 * @param quotes  best first
 * @returns pages, and the sections of a page, in the order of their best quotes; the quotes of a section in the order
 * of its text
 */
export function groupBySource<T>(quotes: readonly T[], placeOf: (quote: T) => QuotePlace): T[][] {
  const sectionOf = (quote: T): string => placeOf(quote).sectionId;
  return byKey(quotes, (quote) => pagePath(sectionOf(quote))).flatMap((page) =>
    byKey(page, sectionOf).map((group) => group.toSorted((a, b) => placeOf(a).start - placeOf(b).start)),
  );
}
