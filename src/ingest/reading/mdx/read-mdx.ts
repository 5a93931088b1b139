import { splitHeader } from '../front-matter/split-title-block.js';
import { blockParser } from '../markdown/parse-blocks.js';
import { MAX_HREF_CHARS, type ParsedDocument, type TagLink } from '../parsed-document.js';
import { findMdx, type MdxPart } from './find-mdx.js';
import { renderMdx } from './render-mdx.js';

const parseBlocks = blockParser({ html: false, indentedCode: false });

/** Reads MDX as text, with the titles and labels of tags. @throws MalformedDocumentError */
export function readMdx(text: string): ParsedDocument {
  const { body, bodyLine, ...header } = splitHeader(text);
  const parts = findMdx(body);
  const rendered = renderMdx(body, parts);
  const source = rendered.map((line) => line.text).join('\n');
  const blocks = parseBlocks(source).map((block) => ({
    ...block,
    line: bodyLine + (rendered[block.line - 1]?.line ?? 0),
  }));
  const tagLinks = findTagLinks(body, parts).map(({ href, line }) => ({ href, line: bodyLine + line }));
  return { ...header, title: null, blocks, tagLinks, anchors: [] };
}

/** Attributes of cards, buttons and links that hold a destination; `src` embeds a file instead. */
const ADDRESSES = ['href', 'to'];
/** Components and `a`; other tags embed their target, such as `use` in SVG. */
const LINKING = /^(?:a$|[A-Z])/;

/**
 * Finds the links in the tags of an MDX page. Section text contains only the titles of tags, not their addresses. Links
 * within the page are left out, since generated references link every word of a signature.
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
