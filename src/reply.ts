/** Why a result holds less than there was. */
export const LIMIT_REASONS = ['page_size', 'token_cap', 'byte_cap', 'none'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

/** A result that knows how to become smaller, for when it is over its budget. */
export interface Reply<T> {
  readonly output: T;
  /** The next smaller result, or null when nothing can be left out any more. */
  readonly smaller: (reason: LimitReason) => Reply<T> | null;
}

/** How much of a ranked result to build. */
export interface Fit {
  /** Items to keep, from the best on. */
  readonly count: number;
  /** Longest text of an item, in characters. */
  readonly maxChars: number;
  /** Set once something had to go. */
  readonly reason: LimitReason | null;
}

/** A clipped text shorter than this proves nothing. */
const MIN_CHARS = 40;

/** A result of fixed size. */
export function fixedReply<T>(output: T): Reply<T> {
  return { output, smaller: () => null };
}

/**
 * A result made of ranked items: over budget it loses the lowest-ranked item first, and when one is left, half of its
 * text at a time.
 */
export function listReply<T>(start: { count: number; maxChars: number }, build: (fit: Fit) => T): Reply<T> {
  const reply = (fit: Fit): Reply<T> => ({
    output: build(fit),
    smaller: (reason) => {
      if (fit.count > 1) return reply({ ...fit, count: fit.count - 1, reason });
      const maxChars = Math.floor(fit.maxChars / 2);
      return fit.count === 1 && maxChars >= MIN_CHARS ? reply({ count: 1, maxChars, reason }) : null;
    },
  });
  return reply({ ...start, reason: null });
}
