import { docutilsId } from '../anchors/docutils-id.js';
import { NOTHING_READ, type ReadHeader } from '../front-matter/read-header.js';
import { labelled } from '../labelled.js';
import { blockParser } from '../markdown/parse-blocks.js';
import {
  ANCHOR_NAME,
  type Block,
  MAX_ANCHORS,
  type PageAnchor,
  type ParsedDocument,
  type TagLink,
  type WrittenFact,
} from '../parsed-document.js';
import { convertBlocks } from './blocks/convert-blocks.js';
import { FIELD } from './blocks/fields.js';
import { convertInline, plainInline } from './inline/convert-inline.js';
import { References } from './inline/references.js';
import type { RstConverter } from './rst-converter.js';
import { endOfIndented, isBlank, type SourceLine, toSourceLines } from './source-line.js';

const META = /^\.\. meta::[ \t]*$/;

interface Docinfo extends ReadHeader {
  /** Position of the first line below the field list at the top, which is for the build: `:orphan:`. */
  readonly end: number;
}

/** Reads the fields at the top of a file, and those of its `meta` directive, as front matter. */
function readDocinfo(lines: readonly SourceLine[]): Docinfo {
  const own = fieldsFrom(lines, 0);
  const meta = lines.findIndex(({ text }) => META.test(text));
  const below = meta < 0 ? [] : lines.slice(meta + 1, endOfIndented(lines, meta + 1));
  const written = [...fieldsFrom(below.map(outdented), 0).written, ...own.written];
  const frontMatter = Object.fromEntries(written.map(({ key, value }) => [key, value]));
  return written.length > 0
    ? { frontMatter, written, problems: [], end: own.end }
    : { ...NOTHING_READ, end: own.end };
}

const outdented = ({ text, line }: SourceLine): SourceLine => ({ text: text.trimStart(), line });

function fieldsFrom(
  lines: readonly SourceLine[],
  from: number,
): { readonly written: WrittenFact[]; readonly end: number } {
  const written: WrittenFact[] = [];
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const own = lines[at];
    if (!own || isBlank(own)) continue;
    const [head, name = ''] = FIELD.exec(own.text) ?? [];
    if (head === undefined) break;
    end = endOfIndented(lines, at + 1);
    const more = lines.slice(at + 1, end).map(({ text }) => text.trim());
    const value = [own.text.slice(head.length), ...more].join(' ').trim();
    // Sphinx takes the title from the headings.
    if (value !== '' && !/^title$/i.test(name))
      written.push({ below: 'top', key: name.trim().toLowerCase(), value, line: own.line });
    at = end - 1;
  }
  return { written, end };
}

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
