import GithubSlugger from 'github-slugger';
import { decodePath } from '../../core/section-id.js';

/**
 * Finds the anchor that a link's fragment refers to. It compares, in this order: the fragment as written, without
 * percent-encoding, in any case, as a GitHub slug, and by letters and digits alone if that leaves one anchor. Sites
 * build anchors in different ways (`_meta` or `meta`, `a_b` or `a-b`).
 * @param anchors  of one page, in reading order; of equal anchors the first is used
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

/** True when a fragment refers to the whole page: `top` in HTML, or a text fragment (`:~:text=`). */
export function isPageAnchor(fragment: string): boolean {
  return /^(?:top$|:~:)/i.test(fragment);
}

/** True when a fragment refers to the title of a page. No section needs to begin with the title. */
export function isTitleAnchor(title: string, fragment: string): boolean {
  return anchorFinder([GithubSlugger.slug(title)])(fragment) !== null;
}

function lettersOf(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
