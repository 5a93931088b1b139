import GithubSlugger from 'github-slugger';
import { decodePath } from '../../core/section-id.js';

/**
 * Tells which heading a link's fragment means: as written, else without percent-encoding, else in any case, else as GitHub would write it,
 * else by its letters and digits where these leave one: sites make anchors in ways of their own (`_meta` or `meta`, `a_b` or `a-b`).
 * @param anchors  of a page's headings, in reading order; of equal ones the first counts
 */
export function anchorFinder(anchors: readonly string[]): (fragment: string) => string | null {
  const exact = new Set(anchors);
  const folded = new Map<string, string>();
  const loose = new Map<string, string | null>();
  for (const anchor of exact) {
    const key = anchor.toLowerCase();
    if (!folded.has(key)) folded.set(key, anchor);
    loose.set(lettersOf(anchor), loose.has(lettersOf(anchor)) ? null : anchor);
  }
  return (fragment) => {
    if (exact.has(fragment)) return fragment;
    const plain = decodePath(fragment);
    if (exact.has(plain)) return plain;
    const found = folded.get(plain.toLowerCase()) ?? folded.get(GithubSlugger.slug(plain));
    return found ?? loose.get(lettersOf(plain) || plain) ?? null;
  };
}

/** Whether a fragment means all of a page, whatever anchors it has: `top` in HTML, or a quotation of its text. */
export function isPageAnchor(fragment: string): boolean {
  return /^(?:top$|:~:)/i.test(fragment);
}

/** Whether a fragment means the title of a page, which no section need begin with. */
export function isTitleAnchor(title: string, fragment: string): boolean {
  return anchorFinder([GithubSlugger.slug(title)])(fragment) !== null;
}

function lettersOf(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
