import { clipText } from './clip-text.js';

const MAX_TITLE_CHARS = 200;
const MAX_ANCHOR_CHARS = 200;
export const MAX_PATH_CHARS = 1_024;

/** A title as replies show it. */
export function shownTitle(title: string): string {
  return clipText(title, MAX_TITLE_CHARS);
}

/** An anchor as replies show it; null for a long one, since a part of it leads nowhere. */
export function shownAnchor(anchor: string | null): string | null {
  return anchor !== null && anchor.length <= MAX_ANCHOR_CHARS ? anchor : null;
}
