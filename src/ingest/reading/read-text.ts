import type { BodyBlock, ParsedDocument } from './parsed-document.js';

/** Reads plain text: each paragraph is a block, and Markdown characters have no meaning. */
export function readText(text: string): ParsedDocument {
  const blocks: BodyBlock[] = [];
  let paragraph: string[] = [];
  const lines = [...text.split('\n'), ''];
  lines.forEach((line, index) => {
    if (line.trim() !== '') {
      paragraph.push(line);
      return;
    }
    if (paragraph.length > 0) {
      blocks.push({ kind: 'text', text: paragraph.join('\n'), line: index - paragraph.length + 1 });
    }
    paragraph = [];
  });
  return { frontMatter: {}, written: [], title: null, blocks, tagLinks: [], anchors: [], problems: [] };
}
