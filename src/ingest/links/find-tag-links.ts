import type { MdxPart } from '../reading/mdx/find-mdx.js';
import type { TagLink } from '../reading/parsed-document.js';
import { MAX_HREF_CHARS } from './scan-destination.js';

/** Attributes of cards, buttons and links that hold a destination; `src` embeds a file instead. */
const ADDRESSES = ['href', 'to'];
/** Components and `a`; other tags embed their target, such as `use` in SVG. */
const LINKING = /^(?:a$|[A-Z])/;

/**
 * Finds the links in the tags of an MDX page. Section text contains only the titles of tags, not their addresses. Links
 * within the page are left out, since generated references link every word of a signature.
 * @param parts  from `findMdx`
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
