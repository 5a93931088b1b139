import { shownTitle } from '../text/untrusted-text.js';

/**
 * The titles above a section, from the top down.
 * @param trail  titles above its page; the outermost are left out if the whole is too long to show
 */
export function titleOf(headingPath: readonly string[], trail: readonly string[] = []): string {
  const starts = trail.map((_, at) => [...trail.slice(at), ...headingPath].join(' > '));
  const title = starts.find((whole) => shownTitle(whole) === whole) ?? headingPath.join(' > ');
  return shownTitle(title);
}
