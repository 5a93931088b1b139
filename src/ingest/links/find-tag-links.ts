import type { MdxPart } from '../reading/mdx/find-mdx.js';
import type { TagLink } from '../reading/parsed-document.js';

/** Attributes that say where a card, button or link leads; `src` shows something here. */
const ADDRESSES = ['href', 'to'];
/** Components and `a`; the others show what they point to, such as the icons of a drawing. */
const LINKING = /^(?:a$|[A-Z])/;
const MAX_HREF_CHARS = 2_048;

/**
 * Finds where the tags of a page lead. The text of sections shows their titles alone, for whoever searches has no use for
 * addresses. Links within the page are left out: generated references link each word of a signature.
 * @param parts  of `findMdx`
 * @returns in reading order, lines from 0
 */
export function findTagLinks(text: string, parts: readonly MdxPart[]): TagLink[] {
  const links: TagLink[] = [];
  let line = 0;
  let from = 0;
  for (const { start, tag } of parts) {
    if (!tag || tag.form === 'close' || !LINKING.test(tag.name)) continue;
    const href = ADDRESSES.map((name) => tag.attributes[name]?.trim() ?? '').find((value) => value !== '');
    if (!href || href.startsWith('#') || href.length > MAX_HREF_CHARS) continue;
    line += text.slice(from, start).split('\n').length - 1;
    from = start;
    links.push({ href, line });
  }
  return links;
}
