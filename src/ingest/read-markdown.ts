import { splitFrontMatter } from './front-matter.js';
import { blockParser } from './parse-blocks.js';
import type { Block, BodyBlock, ParsedDocument } from './parsed-document.js';
import { stripComments } from './strip-comments.js';
import { endOfEsm } from './strip-esm.js';

const parseBlocks = blockParser({ html: true, indentedCode: true });

/**
 * Reads Markdown. HTML stays as written, but for comments; import and export lines, which Docusaurus allows, go.
 * @throws MalformedDocumentError
 */
export function readMarkdown(text: string): ParsedDocument {
  const { frontMatter, written, body, bodyLine } = splitFrontMatter(text);
  const blocks = parseBlocks(body, bodyLine);
  return { frontMatter, written, title: null, blocks: blocks.flatMap(cleanBlock), tagLinks: [] };
}

function cleanBlock(block: Block): readonly Block[] {
  if (block.kind === 'heading' || block.kind === 'fence') return [block];
  const text = stripComments(withoutEsm(block)).trimEnd();
  return text.trim() === '' ? [] : [{ ...block, text }];
}

function withoutEsm({ kind, text }: BodyBlock): string {
  return kind === 'text' ? text.slice(endOfEsm(text, 0)) : text;
}
