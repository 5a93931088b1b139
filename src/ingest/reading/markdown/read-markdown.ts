import { splitFrontMatter } from '../front-matter.js';
import { isBadges } from '../is-badge.js';
import { endOfEsm } from '../mdx/strip-esm.js';
import type { Block, BodyBlock, ParsedDocument } from '../parsed-document.js';
import { markdownAnchors } from './markdown-anchors.js';
import { blockParser } from './parse-blocks.js';
import { stripComments } from './strip-comments.js';

const parseBlocks = blockParser({ html: true, indentedCode: true });

/**
 * Reads Markdown. Comments are removed, other HTML is unchanged; import and export lines (Docusaurus) are removed.
 * @throws MalformedDocumentError
 */
export function readMarkdown(text: string): ParsedDocument {
  const { body, bodyLine, ...header } = splitFrontMatter(text);
  const blocks = parseBlocks(body, bodyLine).flatMap(cleanBlock);
  const lines = body.split('\n');
  const anchors = markdownAnchors(blocks, (line) => lines[line - bodyLine] ?? '');
  return { ...header, title: null, blocks, tagLinks: [], anchors };
}

function cleanBlock(block: Block): readonly Block[] {
  if (block.kind === 'heading' || block.kind === 'fence') return [block];
  const text = stripComments(withoutEsm(block)).trimEnd();
  return text.trim() === '' || isBadges(text) ? [] : [{ ...block, text }];
}

function withoutEsm({ kind, text }: BodyBlock): string {
  return kind === 'text' ? text.slice(endOfEsm(text, 0)) : text;
}
