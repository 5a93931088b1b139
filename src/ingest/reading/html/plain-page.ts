import { MARKDOWN_SPANS } from '../markdown-spans.js';
import { pipeRows, type TableGroup } from '../tables/pipe-rows.js';
import { readSpan } from '../tables/place-cells.js';
import {
  decodeText,
  JoinedBlocks,
  NotPlain,
  type PlainElement,
  plainElements,
  type PlainNode,
  plainText,
  readElement,
} from './plain-tree.js';

/**
 * Converters write pages of few elements, all with their ends. Such a page is written as Markdown without a document model,
 * with the same result: turndown takes 20 times as long, and gets what is not plain block by block.
 */

/** A page in Markdown, as the reader of HTML writes it, with numbered headings. */
export interface PlainPage {
  readonly title: string | null;
  readonly markdown: string;
  /** Of the headings, in order; '' for one without. */
  readonly ids: readonly string[];
}

/** Writes a block that is not plain. @param html  without headings and ids */
type ConvertBlock = (html: string) => string;

const PAGE = /^(?:<title>([^<]*)<\/title>\n)?<main>\n([^]*)<\/main>\n$/;
/** Elements whose place in the page matters, and parts that do. Headings, ids and names are only read in plain blocks. */
const NOT_IN_PARTS =
  /<(?:h[1-6]|main|article|nav|aside|header|footer|template|script|abbr|acronym)\b|\s(?:id|name|role|aria-\w+)\s*=/i;
/** Elements of lines with the attributes that they may have. */
const INLINE: ReadonlyMap<string, RegExp> = new Map([
  ['a', /^ href="[^"]*"$/],
  ['br', /^ ?\/?$/],
  ...['code', 'strong', 'b', 'em', 'i'].map((name): [string, RegExp] => [name, /^$/]),
]);
const CELL = /^(?: (?:col|row)span="\d+")*$/;
const NO_ADDRESS = /^\s*(?:data|javascript):/i;

/** Writes the plain elements of a page. */
class PlainWriter {
  readonly ids: string[] = [];
  private isInCell = false;

  constructor(
    private readonly escape: (text: string) => string,
    private readonly markOf: (number: number) => string,
  ) {}

  /** @returns null for a block that is not plain */
  plainBlock(node: PlainNode | undefined): string | null {
    try {
      return typeof node === 'object' ? this.block(node) : null;
    } catch (error) {
      this.isInCell = false;
      if (error instanceof NotPlain) return null;
      throw error;
    }
  }

  private block(node: PlainElement): string {
    const { name, attributes, children } = node;
    if (name === 'p' && attributes === '') return `\n\n${this.line(children)}\n\n`;
    if (/^[uo]l$/.test(name) && attributes === '') return `\n\n${this.list(node)}\n\n`;
    // A table with other blocks is a layout.
    if (this.isInCell) throw new NotPlain();
    if (/^h[1-6]$/.test(name)) return this.heading(node);
    if (name === 'table' && attributes === '') return this.table(children);
    if (name === 'pre' && attributes === '') return this.code(children);
    throw new NotPlain();
  }

  private heading({ name, attributes, children }: PlainElement): string {
    const [, id] = /^(?: id="([^"]*)")?$/.exec(attributes) ?? [null, null];
    if (id === null) throw new NotPlain();
    // Checks that it has only parts of lines.
    this.line(children);
    const title = children.map(plainText).join('').replace(/\s+/g, ' ').trim();
    if (title === '') throw new NotPlain();
    const number = this.ids.push(decodeText(id ?? '')) - 1;
    const escaped = title.replace(/[\\`*_{}[\]<>#~!&]/g, '\\$&');
    return `\n\n${'#'.repeat(Number(name.charAt(1)))} ${escaped}${this.markOf(number)}\n\n`;
  }

  private code(children: readonly PlainNode[]): string {
    const [code, ...others] = children;
    if (typeof code !== 'object' || code.name !== 'code' || code.attributes !== '' || others.length > 0)
      throw new NotPlain();
    if (!code.children.every((child) => typeof child === 'string')) throw new NotPlain();
    const text = decodeText(code.children.join('')).replace(/^\n|\n+$/g, '');
    if (text.trim() === '' || text.includes('```')) throw new NotPlain();
    return `\n\n\`\`\`\n${text}\n\`\`\`\n\n`;
  }

  private list({ name, children }: PlainElement): string {
    const items = plainElements(children);
    const joined = new JoinedBlocks();
    items.forEach((item, at) => {
      if (item.name !== 'li' || item.attributes !== '') throw new NotPlain();
      const prefix = name === 'ol' ? `${at + 1}. ` : '- ';
      const content = this.blocks(item.children, true).trim();
      if (content === '') throw new NotPlain();
      const body = content.replace(/\n(?=[^\n])/g, `\n${' '.repeat(prefix.length)}`);
      joined.add(`${prefix}${body}${at < items.length - 1 ? '\n' : ''}`);
    });
    return joined.text();
  }

  /** Lines and blocks within an item or a cell. */
  private blocks(children: readonly PlainNode[], isItem: boolean): string {
    const joined = new JoinedBlocks();
    let line: PlainNode[] = [];
    const endLine = (): void => {
      if (line.length > 0) joined.add(this.line(line));
      line = [];
    };
    const last = children.findLast((child) => typeof child === 'object');
    for (const child of children) {
      if (typeof child === 'string' || INLINE.has(child.name)) {
        line.push(child);
        continue;
      }
      endLine();
      const isLastList = isItem && child === last && /^[uo]l$/.test(child.name) && child.attributes === '';
      joined.add(isLastList ? `\n${this.list(child)}` : this.block(child));
    }
    endLine();
    return joined.text();
  }

  private table(children: readonly PlainNode[]): string {
    const groups = plainElements(children).map((group): TableGroup => {
      if (!/^t(?:head|body)$/.test(group.name) || group.attributes !== '') throw new NotPlain();
      return {
        isHead: group.name === 'thead',
        rows: plainElements(group.children).map((row) => {
          if (row.name !== 'tr' || row.attributes !== '') throw new NotPlain();
          return plainElements(row.children).map((cell) => this.cell(cell));
        }),
      };
    });
    return `\n\n${pipeRows(groups).join('\n').trim()}\n\n`;
  }

  private cell({ name, attributes, children }: PlainElement): TableGroup['rows'][number][number] {
    if (!/^t[hd]$/.test(name) || !CELL.test(attributes)) throw new NotPlain();
    const span = (key: 'colspan' | 'rowspan'): number =>
      readSpan(key, new RegExp(`${key}="(\\d+)"`).exec(attributes)?.[1] ?? '');
    this.isInCell = true;
    const lines = this.blocks(children, false).split('\n');
    this.isInCell = false;
    const text = lines.map((line) => line.trim()).filter((line) => line !== '');
    return {
      value: { text: text.join('<br>'), isHeader: name === 'th' },
      columns: span('colspan'),
      rows: span('rowspan'),
    };
  }

  /** The parts of a line, with spaces as browsers show them. */
  private line(nodes: readonly PlainNode[]): string {
    const parts: string[] = [];
    /** True at the start of a line and after a space, where spaces are not shown. */
    let isSpaced = true;
    const write = (node: PlainNode): string => {
      if (typeof node === 'string') {
        const text = decodeText(node).replace(/[ \n\t]+/g, ' ');
        const shown = isSpaced ? text.replace(/^ /, '') : text;
        if (shown !== '') isSpaced = shown.endsWith(' ');
        return this.escape(shown);
      }
      return this.inline(node, write);
    };
    for (const node of nodes) {
      if (typeof node === 'object' && node.name === 'br') {
        trimLast(parts);
        parts.push('  \n');
        isSpaced = true;
      } else parts.push(write(node));
    }
    trimLast(parts);
    return parts.join('');
  }

  private inline(node: PlainElement, write: (node: PlainNode) => string): string {
    const { name, attributes, children } = node;
    if (INLINE.get(name)?.test(attributes) !== true) throw new NotPlain();
    const written = plainText(node);
    if (written === '' || /^\s|\s$/.test(written)) throw new NotPlain();
    if (children.some((child) => typeof child === 'object' && child.name === 'br')) throw new NotPlain();
    const content = children.map(write).join('');
    if (name === 'code') {
      if (children.some((child) => typeof child === 'object')) throw new NotPlain();
      return MARKDOWN_SPANS.code(written.replace(/\s+/g, ' '));
    }
    if (name !== 'a') return /^[bs]/.test(name) ? `**${content}**` : `_${content}_`;
    const href = decodeText(attributes.slice(' href="'.length, -1));
    const isNested = children.some((child) => typeof child === 'object' && child.name === 'a');
    if (isNested || href === '' || NO_ADDRESS.test(href) || !/[\p{L}\p{N}]/u.test(written))
      throw new NotPlain();
    return `[${content}](${href.replace(/[()]/g, '\\$&')})`;
  }
}

function trimLast(parts: string[]): void {
  const last = parts.pop();
  if (last !== undefined) parts.push(last.replace(/ $/, ''));
}

interface PlainRules {
  readonly escape: (text: string) => string;
  readonly markOf: (number: number) => string;
  readonly convertBlock: ConvertBlock;
}

/** Writes a page that a converter made as Markdown. @returns null for a page that needs the document model as a whole */
export function writePlainPage(html: string, { escape, markOf, convertBlock }: PlainRules): PlainPage | null {
  const [, title = '', body] = PAGE.exec(html) ?? [];
  if (body === undefined || body.trim() === '') return null;
  const writer = new PlainWriter(escape, markOf);
  const joined = new JoinedBlocks();
  let others = '';
  const convertOthers = (): void => {
    if (others !== '') joined.add(convertBlock(others));
    others = '';
  };
  try {
    for (let at = 0; at < body.length;) {
      const start = body.indexOf('<', at);
      if (body.slice(at, start < 0 ? body.length : start).trim() !== '') return null;
      if (start < 0) break;
      const found: PlainNode[] = [];
      const end = readElement(body, start, found);
      const text = writer.plainBlock(found[0]);
      if (text === null) {
        others += body.slice(start, end);
        if (NOT_IN_PARTS.test(body.slice(start, end))) return null;
      } else {
        convertOthers();
        joined.add(text);
      }
      at = end;
    }
    convertOthers();
    const named = decodeText(title).replace(/\s+/g, ' ').trim();
    return { title: named || null, markdown: joined.text(), ids: writer.ids };
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}
