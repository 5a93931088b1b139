/** Why a result holds less than there was. */
export const LIMIT_REASONS = ['page_size', 'token_cap', 'byte_cap', 'none'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** How much of a ranked result to build. */
export interface Fit {
  /** Items to keep, from the best on. */
  readonly count: number;
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
  readonly build: (fit: Fit) => T;
  /** Told what was returned in the end, for those who must not say it twice. */
  shown?(output: T): void;
}

/** Makes a reply of so many items. */
export function listReply<T>(
  size: { count: number; maxChars: number },
  build: (fit: Fit) => T,
  shown?: (output: T) => void,
): Reply<T> {
  return { ...size, build, output: build({ ...size, reason: null }), ...(shown ? { shown } : {}) };
}
