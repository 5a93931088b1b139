import { clipText } from '../text/clip-text.js';

const MAX_TITLE_CHARS = 200;

/** A title that people and agents can place: the headings from the top down. */
export function titleOf(headingPath: readonly string[]): string {
  return clipText(headingPath.join(' > '), MAX_TITLE_CHARS);
}
