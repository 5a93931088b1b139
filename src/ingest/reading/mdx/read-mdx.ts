import { findTagLinks } from '../../links/find-tag-links.js';
import { splitFrontMatter } from '../front-matter.js';
import { blockParser } from '../markdown/parse-blocks.js';
import type { ParsedDocument } from '../parsed-document.js';
import { findMdx } from './find-mdx.js';
import { renderMdx } from './render-mdx.js';

const parseBlocks = blockParser({ html: false, indentedCode: false });

/**
 * Reads MDX. Module code, comments and tags are removed; the text between tags and the titles and labels of tags stay.
 * @throws MalformedDocumentError
 */
export function readMdx(text: string): ParsedDocument {
  const { body, bodyLine, ...header } = splitFrontMatter(text);
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
