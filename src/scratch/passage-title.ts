import { shownTitle } from '../text/shown-fields.js';

/** A title that people and agents can place: the headings from the top down. */
export function titleOf(headingPath: readonly string[]): string {
  return shownTitle(headingPath.join(' > '));
}
