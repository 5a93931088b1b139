import { wholeOffset } from '../../../text/clip-text.js';
import { commonEnds } from '../../../text/quotes/common-ends.js';

/** Unchanged characters that are shown before and after a difference. */
const CONTEXT = 60;
/** Longest part that is shown of either text (UTF-16 units). */
const MAX_SHOWN = 400;

/** Both versions of a text, each around the difference. */
export interface TextChange {
  readonly old_text: string;
  readonly new_text: string;
  readonly only_white_space: boolean;
}

const words = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** The part of a text around a difference, with `…` where something is left out. */
function around(text: string, from: number, to: number): string {
  const start = wholeOffset(text, Math.max(0, from - CONTEXT));
  const end = wholeOffset(text, Math.min(text.length, Math.max(to + CONTEXT, start), start + MAX_SHOWN));
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

/** Shows how a text differs from an older one; long texts in part, from shortly before the first difference. */
export function textChange(before: string, after: string): TextChange {
  const { start, end } = commonEnds(before, after);
  return {
    old_text: around(before, start, before.length - end),
    new_text: around(after, start, after.length - end),
    only_white_space: words(before) === words(after),
  };
}
