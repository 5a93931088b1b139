import type { Span } from '../../src/text/span.js';

/** True when two spans of one text share a character. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;
