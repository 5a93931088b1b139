/** Why a result holds less than there was. */
export const LIMIT_REASONS = ['page_size', 'token_cap', 'byte_cap', 'none'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** How much of a ranked result to build. */
export interface Fit {
  /** Items to keep, from the best on. */
  readonly count: number;
  /** Places of items that do not fit into any reply; they are left out and counted. */
  readonly skipped?: ReadonlySet<number>;
  /** Longest text of an item, in characters. */
  readonly maxChars: number;
  /** Set once something had to go. */
  readonly reason: LimitReason | null;
}

/** A result made of ranked items that can be built smaller, for when it is over its budget. */
export interface Reply<T> {
  /** All of it. */
  readonly output: T;
  readonly count: number;
  /** Length of the longest text, in characters; 0 when items have no text to clip. */
  readonly maxChars: number;
  /** Whether the list has other pages. Then a page of which no item fits is returned empty, so that paging goes on. */
  readonly isPage?: boolean;
  /** Whether items mean nothing without the first one. Then none is skipped. */
  readonly needsFirst?: boolean;
  readonly build: (fit: Fit) => T;
  /** What cut the texts of an output that has no field for that; `none` where they are whole. */
  cutBy?(output: T): LimitReason;
  /** Told what was returned in the end, for those who must not say it twice. */
  shown?(output: T): void;
}

/** What a reply is made of before it is built. */
type Size = Pick<Reply<unknown>, 'count' | 'maxChars' | 'isPage' | 'needsFirst'>;

/** Makes a reply of `count` items. */
export function listReply<T>(size: Size, build: (fit: Fit) => T, shown?: (output: T) => void): Reply<T> {
  const { count, maxChars } = size;
  return { ...size, build, output: build({ count, maxChars, reason: null }), ...(shown ? { shown } : {}) };
}

/** The items that a fit keeps. */
export function keptOf<T>(items: readonly T[], { count, skipped }: Fit): T[] {
  return items.slice(0, count).filter((_, i) => !skipped?.has(i));
}

/** How many items a fit skips. */
export function skippedIn({ count, skipped }: Fit): number {
  return [...(skipped ?? [])].filter((place) => place < count).length;
}

/** The `skipped` field of an output; none where nothing was skipped. */
export function toldSkipped(fit: Fit): { readonly skipped?: number } {
  const skipped = skippedIn(fit);
  return skipped > 0 ? { skipped } : {};
}

/** What is said of skipped items as text. */
export function skippedText(skipped: number | undefined): string | undefined {
  return skipped ? `${skipped} skipped: too long for one reply.` : undefined;
}
