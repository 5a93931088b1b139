/** Maximum number of items of one document in a list. */
export interface DocumentLimit {
  readonly perDocument: number;
  /** The limit is doubled until the list has this many items; 0, the default, keeps the limit. */
  readonly fillTo?: number;
}

/** Maximum number of sections in a ranked list: in all, and of one document. */
export interface RankLimits extends DocumentLimit {
  readonly sections: number;
}

/** The limits of a list. @param asked  sections of one document; null for the default, which rises to fill the list */
export function limitsOf(sections: number, asked: number | null, byDefault: number): RankLimits {
  if (asked !== null) return { sections, perDocument: asked };
  return { sections, perDocument: byDefault, fillTo: sections };
}

/** The first items of each document, in their order. */
function limitPerDocument<T>(items: readonly T[], most: number, documentOf: (item: T) => unknown): T[] {
  const taken = new Map<unknown, number>();
  return items.filter((item) => {
    const document = documentOf(item);
    const count = (taken.get(document) ?? 0) + 1;
    taken.set(document, count);
    return count <= most;
  });
}

/** Items within the limit, and the list made of them. */
interface Limited<T, R> {
  readonly left: readonly T[];
  readonly made: R;
  /** The limit that was applied. */
  readonly perDocument: number;
}

/**
 * Limits the number of items per document. If few documents match, the limit is raised.
 * @param documentOf  names the document of an item
 * @param make  makes the list from the remaining items; it may omit more
 * @param countOf  counts what was made
 */
export function fillPerDocument<T, R>(
  items: readonly T[],
  { perDocument, fillTo = 0 }: DocumentLimit,
  by: {
    readonly documentOf: (item: T) => unknown;
    readonly make: (left: readonly T[]) => R;
    readonly countOf: (made: R) => number;
  },
): Limited<T, R> {
  for (let most = perDocument; ; most *= 2) {
    const left = limitPerDocument(items, most, by.documentOf);
    const made = by.make(left);
    if (by.countOf(made) >= fillTo || left.length === items.length) return { left, made, perDocument: most };
  }
}
