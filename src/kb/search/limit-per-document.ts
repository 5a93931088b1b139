/** How many of one document a list takes. */
export interface DocumentLimit {
  readonly perDocument: number;
  /** The limit is doubled until the list has this many items; 0, the default, keeps the limit. */
  readonly fillTo?: number;
}

/** The first of each document, in their order. */
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
export interface Limited<T, R> {
  readonly left: readonly T[];
  readonly made: R;
  readonly perDocument: number;
}

/**
 * Limits how many of one document are taken, and takes more of each where few documents match.
 * @param documentOf  names the document of an item
 * @param make  makes the list of what is left; it may leave more out
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
