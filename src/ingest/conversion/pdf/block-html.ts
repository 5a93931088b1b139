import { pageMark } from '../../reading/page-marks.js';
import { escapeHtml, tableHtml, tag } from '../html-text.js';
import type { Word } from './drawn-text.js';
import type { TextBlock } from './text-blocks.js';
import { areApart, hasCells, lineText, type PageLine } from './text-lines.js';

/** Words of a document, in lower case, to tell which hyphens at ends of lines belong to a word. */
type Vocabulary = ReadonlySet<string>;

const WORD = /\p{L}[\p{L}\p{N}'’]*(?:-\p{L}[\p{L}\p{N}'’]*)*/gu;

export function readVocabulary(lines: readonly PageLine[]): Vocabulary {
  const words = new Set<string>();
  for (const line of lines) {
    const text = lineText(line).replace(/\p{L}+[-\u00ad\u2010]$/u, '');
    for (const [word] of text.matchAll(WORD)) words.add(word.toLowerCase());
  }
  return words;
}

/** A part of a paragraph in one style. */
interface Piece {
  text: string;
  readonly isCode: boolean;
  readonly script: 'sup' | 'sub' | null;
  readonly href: string | undefined;
}

/** How the text of a document is written. */
interface Writing {
  readonly vocabulary: Vocabulary;
  /** False if all of the text has letters of equal width. */
  readonly marksCode: boolean;
}

const HYPHENATED = /(\p{L}+)[-\u00ad\u2010]$/u;

/** The text of lines without hyphens at their ends, as HTML. */
function linesHtml(lines: readonly PageLine[], writing: Writing, skipped = 0): string {
  const pieces: Piece[] = [];
  for (const [at, line] of lines.entries()) {
    const words = at === 0 ? line.words.slice(skipped) : line.words;
    for (const [i, word] of words.entries()) {
      const before = words[i - 1];
      const isJoined = before
        ? !areApart(before, word)
        : pieces.length === 0 || joinHyphen(pieces, word, writing);
      add(pieces, { ...pieceFrom(word, line, writing), text: word.text }, !isJoined);
    }
  }
  return pieces.map(pieceHtml).join('').trim();
}

function pieceFrom(word: Word, line: PageLine, { marksCode }: Writing): Omit<Piece, 'text'> {
  const isSmall = word.size < 0.87 * line.size && /^[\p{L}\p{N}*†‡§+\-−]{1,4}$/u.test(word.text);
  const rise = (line.y - word.y) / line.size;
  const script = !isSmall ? null : rise > 0.12 ? 'sup' : rise < -0.05 ? 'sub' : null;
  return { isCode: marksCode && word.font.isMono && script === null, script, href: word.href };
}

function add(pieces: Piece[], piece: Piece, isApart: boolean): void {
  const last = pieces.at(-1);
  const isSame =
    last && last.isCode === piece.isCode && last.script === piece.script && last.href === piece.href;
  if (isSame) last.text += (isApart ? ' ' : '') + piece.text;
  else pieces.push(isApart && last ? { ...piece, text: ` ${piece.text}` } : piece);
}

/** Joins a word that a line breaks. @returns true if no space is between the lines */
function joinHyphen(pieces: readonly Piece[], next: Word, { vocabulary }: Writing): boolean {
  const last = pieces.at(-1);
  const first = last && HYPHENATED.exec(last.text)?.[1];
  const second = /^\p{Ll}[\p{L}'’]*/u.exec(next.text)?.[0];
  if (!last || first === undefined) return false;
  if (second === undefined) return /\p{L}-$/u.test(last.text) && /^[\p{L}\p{N}]/u.test(next.text);
  const isCompound =
    !vocabulary.has((first + second).toLowerCase()) && vocabulary.has(`${first}-${second}`.toLowerCase());
  if (!isCompound) last.text = last.text.replace(/[-\u00ad\u2010]$/u, '');
  return true;
}

function pieceHtml({ text, isCode, script, href }: Piece): string {
  const bare = text.trim();
  const space = text.startsWith(' ') ? ' ' : '';
  let html = escapeHtml(bare);
  if (isCode) html = `<code>${html}</code>`;
  if (script) html = `<${script}>${html}</${script}>`;
  if (href !== undefined) html = `<a href="${escapeHtml(href)}">${html}</a>`;
  return space + html;
}

const BULLET = /^[^\p{L}\p{N}([]$/u;
const ORDINAL = /^(\d{1,3})[.)]$/;

/** Blocks as HTML, each with the mark of its page. */
export class HtmlBlocks {
  private readonly parts: string[] = [];
  /** Open lists: where the marks of their points begin, and their elements. */
  private lists: { readonly at: number; readonly name: 'ul' | 'ol'; count: number }[] = [];

  constructor(private readonly writing: Writing) {}

  heading(title: string, { level, page }: { readonly level: number; readonly page: number }): void {
    this.closeLists(0);
    this.parts.push(`<h${level} id="page=${page}">${escapeHtml(title)}</h${level}>\n`);
  }

  table({ table = [], page }: PageLine): void {
    this.closeLists(0);
    const cells = table.map((row) => row.map((lines) => ({ content: linesHtml(lines, this.writing) })));
    const [first] = cells[0] ?? [];
    if (first) first.content = pageMark(page) + first.content;
    this.parts.push(tableHtml(cells));
  }

  block(block: TextBlock): void {
    const [first] = block.lines;
    if (!first) return;
    const mark = pageMark(first.page);
    if (block.kind === 'item') {
      this.item(block, mark);
      return;
    }
    this.closeLists(0);
    if (block.kind === 'code') this.parts.push(`<pre>${mark}${escapeHtml(codeText(block.lines))}</pre>\n`);
    else this.parts.push(tag('p', mark + this.paragraph(block.lines)));
  }

  /** The rows of a table without lines stay lines. */
  private paragraph(lines: readonly PageLine[]): string {
    if (!lines.every(hasCells)) return linesHtml(lines, this.writing);
    return lines.map((line) => linesHtml([line], this.writing)).join('<br>\n');
  }

  private item(block: TextBlock, mark: string): void {
    const [word] = block.lines[0]?.words ?? [];
    const ordinal = ORDINAL.exec(word?.text ?? '')?.[1];
    const isBullet = BULLET.test(word?.text ?? '');
    if (ordinal === undefined && !isBullet) {
      this.closeLists(0);
      this.parts.push(tag('p', mark + linesHtml(block.lines, this.writing)));
      return;
    }
    const name = ordinal === undefined ? 'ul' : 'ol';
    this.openList(block.indent.mark, name, Number(ordinal ?? 0));
    this.parts.push(`<li>${mark}${linesHtml(block.lines, this.writing, 1)}`);
  }

  /** Makes the list at an indentation the innermost one. */
  private openList(at: number, name: 'ul' | 'ol', number: number): void {
    const depth = this.lists.findLastIndex((list) => list.at < at + 4) + 1;
    this.closeLists(depth);
    const list = this.lists.at(-1);
    const isSame = list && Math.abs(list.at - at) <= 4;
    if (isSame && list.name === name && (name === 'ul' || list.count + 1 === number)) {
      this.parts.push('</li>\n');
      list.count = number;
      return;
    }
    if (isSame) this.closeLists(depth - 1);
    this.parts.push(name === 'ul' ? '<ul>' : `<ol start="${number}">`);
    this.lists.push({ at, name, count: number });
  }

  private closeLists(depth: number): void {
    for (
      let list = this.lists.length > depth && this.lists.pop();
      list;
      list = this.lists.length > depth && this.lists.pop()
    )
      this.parts.push(`</li></${list.name}>\n`);
  }

  html(): string {
    this.closeLists(0);
    return this.parts.join('');
  }
}

/** Code with its indentation and empty lines. */
function codeText(lines: readonly PageLine[]): string {
  const widths = lines.flatMap(({ words }) => words.map(({ x0, x1, text }) => (x1 - x0) / text.length));
  const width = widths.sort((a, b) => a - b)[Math.floor(widths.length / 2)] || 1;
  const start = lines.reduce((least, { x0 }) => Math.min(least, x0), Infinity);
  return lines
    .map((line, at) => {
      const before = lines[at - 1];
      const gap = before && before.page === line.page ? line.y - before.y : 0;
      const blank = gap > 1.75 * line.size ? '\n' : '';
      return blank + codeLine(line, start, width);
    })
    .join('\n');
}

const MAX_COLUMN = 300;

function codeLine({ words }: PageLine, start: number, width: number): string {
  let text = '';
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    const column = Math.min(Math.round((word.x0 - start) / width), MAX_COLUMN);
    const least = before && areApart(before, word) ? text.length + 1 : text.length;
    const isGlued = before !== undefined && !areApart(before, word);
    text = (isGlued ? text : text.padEnd(Math.max(column, least))) + word.text;
  }
  return text;
}
