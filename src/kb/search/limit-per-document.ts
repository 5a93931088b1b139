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

/** Limits the items per document, and raises the limit if few documents match. `make` may omit more items. */
export function fillPerDocument<T, R extends { readonly candidates: readonly unknown[] }>(
  items: readonly T[],
  { perDocument, fillTo = 0 }: DocumentLimit,
  by: { readonly documentOf: (item: T) => unknown; readonly make: (left: readonly T[]) => R },
): { readonly left: readonly T[]; readonly made: R; readonly perDocument: number } {
  for (let most = perDocument; ; most *= 2) {
    const left = limitPerDocument(items, most, by.documentOf);
    const made = by.make(left);
    const isFull = made.candidates.length >= fillTo || left.length === items.length;
    if (isFull) return { left, made, perDocument: most };
  }
}
