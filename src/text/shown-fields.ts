import { clipText } from './clip-text.js';

const MAX_TITLE_CHARS = 200;
const MAX_ANCHOR_CHARS = 200;
export const MAX_PATH_CHARS = 1_024;

/** Clips a title for replies. */
export function shownTitle(title: string): string {
  return clipText(title, MAX_TITLE_CHARS);
}

/** Returns an anchor for replies; null if it is too long, since a clipped anchor would not work. */
export function shownAnchor(anchor: string | null): string | null {
  return anchor !== null && anchor.length <= MAX_ANCHOR_CHARS ? anchor : null;
}
