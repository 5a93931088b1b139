import { docutilsId } from '../anchors/docutils-id.js';
import type { ReadHeader } from '../front-matter/read-header.js';
import { labelled } from '../labelled.js';
import { blockParser } from '../markdown/parse-blocks.js';
import {
  ANCHOR_NAME,
  type Block,
  MAX_ANCHORS,
  type PageAnchor,
  type ParsedDocument,
  type TagLink,
} from '../parsed-document.js';
import { convertBlocks } from './blocks/convert-blocks.js';
import { readDocinfo } from './docinfo.js';
import { convertInline, plainInline } from './inline/convert-inline.js';
import { References } from './inline/references.js';
import type { RstConverter } from './rst-converter.js';
import { type SourceLine, toSourceLines } from './source-line.js';

const parseBlocks = blockParser({ html: false, indentedCode: false });

/** Reads reStructuredText, also with the directives and roles of Sphinx, as Markdown with the lines of the source. */
export function readRst(text: string): ParsedDocument {
  const { lines, labels, links, header } = convertRst(text);
  const markdown = lines.map((own) => own.text).join('\n');
  const blocks = withIds(parseBlocks(markdown)).map((block) => ({
    ...block,
    line: lines[block.line - 1]?.line ?? 0,
  }));
  const anchors = labelled(labels, blocks);
  return { ...header, title: null, blocks, tagLinks: links, anchors };
}

/** Gives headings the ids of docutils. Those of equal titles are counted over the whole page, so they have none here. */
function withIds(blocks: readonly Block[]): readonly Block[] {
  const taken = new Set<string>();
  return blocks.map((block) => {
    if (block.kind !== 'heading') return block;
    const id = docutilsId(block.title);
    const anchor = taken.has(id) ? '' : id;
    taken.add(id);
    return { ...block, anchor };
  });
}

interface ConvertedRst {
  readonly lines: readonly SourceLine[];
  readonly labels: readonly PageAnchor[];
  readonly links: readonly TagLink[];
  readonly header: ReadHeader;
}

/** Converts reStructuredText to lines of Markdown. Takes time linear in the text, and accepts any text. */
export function convertRst(text: string): ConvertedRst {
  const source = toSourceLines(text);
  const refs = new References(source);
  const labels: PageAnchor[] = [];
  const links: TagLink[] = [];
  const styles: string[] = [];
  const rst: RstConverter = {
    inline: (own) => convertInline(own, refs),
    plain: (own) => plainInline(own, refs),
    blocks: (lines, depth) => convertBlocks(rst, lines, depth),
    levelOf: (style) => {
      if (!styles.includes(style)) styles.push(style);
      return styles.indexOf(style) + 1;
    },
    addLabel: (name, line) => {
      if (ANCHOR_NAME.test(name) && labels.length < MAX_ANCHORS) labels.push({ name, line });
    },
    addLink: (href, line) => links.push({ href, line }),
  };
  const { end, ...header } = readDocinfo(source);
  const lines = rst.blocks(source.slice(end), 0);
  return { lines, labels, links, header };
}
