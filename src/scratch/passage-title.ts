import { shownTitle } from '../text/shown-fields.js';

/** The headings above a section, from the top down. */
export function titleOf(headingPath: readonly string[]): string {
  return shownTitle(headingPath.join(' > '));
}
