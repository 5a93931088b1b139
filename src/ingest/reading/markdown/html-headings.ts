import { readAttributes } from '../heading-attributes.js';
import type { Block, BodyBlock, HeadingBlock } from '../parsed-document.js';
import { htmlHeadingTitle } from '../read-heading.js';
import { findCode, isInSpan, lineCounter } from './find-code.js';

const HEADING = /<h([1-6])((?:\s[^<>]{0,4096})?)>((?:(?!<\/?h[1-6](?=[\s>]))[^]){0,4000}?)<\/h\1\s{0,9}>/gi;
const ID = /\sid\s{0,9}=\s{0,9}(?:"([^"\s]+)"|'([^'\s]+)'|([^\s"'>]+))/i;
const NAME_INSIDE = /<a\s(?:[^<>]{0,200}\s)?(?:id|name)\s{0,9}=\s{0,9}["']([^"'\s]+)["']/i;
/** In these, a heading is a part of a table, a list or a quotation. */
const AROUND = /<(\/?)(?:table|ul|ol|dl|blockquote)(?=[\s>])/gi;

/** Finds the headings that are written as HTML; text around them becomes blocks of its own. */
export function splitHtmlHeadings(blocks: readonly Block[]): readonly Block[] {
  let depth = 0;
  return blocks.flatMap((block) => {
    if (block.kind !== 'text' || !block.text.includes('<') || block.text.startsWith('>')) return [block];
    const split = depth === 0 ? splitBlock(block) : [block];
    depth = Math.max(0, depth + levelsOf(block.text));
    return split;
  });
}

const levelsOf = (text: string): number =>
  Array.from(text.matchAll(AROUND)).reduce((sum, [, slash]) => sum + (slash ? -1 : 1), 0);

function splitBlock(block: BodyBlock): readonly Block[] {
  const found: Block[] = [];
  const code = findCode(block.text);
  const lineAt = lineCounter(block.text, block.line);
  let [from, measured, depth] = [0, 0, 0];
  for (const match of block.text.matchAll(HEADING)) {
    const { index } = match;
    depth += levelsOf(block.text.slice(measured, index));
    measured = index;
    const heading = isInSpan(code, index) || depth > 0 ? null : toHeading(match);
    if (!heading) continue;
    const above = textBlock({ ...block, text: block.text.slice(from, index), line: lineAt(from) });
    found.push(...above, { ...heading, line: lineAt(index) });
    from = index + match[0].length;
  }
  return from === 0
    ? [block]
    : [...found, ...textBlock({ ...block, text: block.text.slice(from), line: lineAt(from) })];
}

function toHeading([, level, attributes = '', inner = '']: RegExpExecArray): Omit<
  HeadingBlock,
  'line'
> | null {
  const [, double, single, bare] = ID.exec(attributes) ?? NAME_INSIDE.exec(inner) ?? [];
  const title = htmlHeadingTitle(inner);
  return title === ''
    ? null
    : {
        kind: 'heading',
        isHtml: true,
        level: Number(level),
        title,
        anchor: double ?? single ?? bare ?? null,
      };
}

/** Tags without text, ids and pictures are the frame of a heading. */
function textBlock({ kind, text, line }: BodyBlock): readonly BodyBlock[] {
  const isFrame = text.replace(/<[^<>]*>/g, '').trim() === '' && !/\s(?:id|name|alt)\s{0,9}=/i.test(text);
  const blank = /^\s*/.exec(text)?.[0] ?? '';
  return isFrame ? [] : [{ kind, text: text.trim(), line: line + blank.split('\n').length - 1 }];
}

const ATTRIBUTES_LINE = /^\{:([^{}\n]{0,500})\}[ \t]*(?:\n|$)/;

/** Removes the line of attributes below a heading (kramdown), which may declare its id. */
export function readLinesBelow(blocks: readonly Block[]): readonly Block[] {
  const ids = new Map<Block, string>();
  const without = blocks.map((block, at): Block | null => {
    const above = blocks[at - 1];
    if (block.kind !== 'text' || above?.kind !== 'heading' || block.line > above.line + 2) return block;
    const [line = '', inner = ''] = ATTRIBUTES_LINE.exec(block.text) ?? [];
    const id = line === '' ? null : readAttributes(`:${inner}`);
    if (id === null) return block;
    if (id !== '') ids.set(above, id);
    const text = block.text.slice(line.length);
    return text.trim() === '' ? null : { ...block, text, line: block.line + 1 };
  });
  return without.flatMap((block, at): Block[] => {
    const id = ids.get(blocks[at] ?? { kind: 'text', text: '', line: 0 });
    if (!block) return [];
    return [block.kind === 'heading' && id !== undefined ? { ...block, anchor: block.anchor ?? id } : block];
  });
}
