import { wholeOffset } from '../../text/span.js';
import { closesFence } from '../reading/markdown/find-code.js';
import type { BodyBlock } from '../reading/parsed-document.js';

/** Longest text of a section, in UTF-16 units. */
const MAX_SECTION_CHARS = 4000;

export type TextPiece = Pick<BodyBlock, 'kind' | 'text' | 'page'>;

/** The text of a section, or of a part of one. */
interface SectionPart {
  readonly text: string;
  /** The page on which its blocks begin; undefined in formats without pages. */
  readonly page: number | undefined;
}

/**
 * Packs blocks into as few parts as possible, in order; a block is split only if it alone exceeds the limit. A sentence
 * that announces the first block of a part begins this part. Blocks of two pages are in two parts, so that a citation opens
 * the page of its quote.
 */
export function splitSection(blocks: readonly TextPiece[]): readonly SectionPart[] {
  const parts: (readonly TextPiece[])[] = [];
  let part: TextPiece[] = [];
  let length = 0;
  for (const piece of blocks.flatMap(cutBlock)) {
    const added = separatorBefore(piece, part.at(-1)).length + piece.text.length;
    const isNextPage = turnsPage(part, piece);
    if (part.length === 0 || (!isNextPage && length + added <= MAX_SECTION_CHARS)) {
      part.push(piece);
      length += added;
      continue;
    }
    const announced = isNextPage ? [] : announcing(part, piece);
    parts.push(part.slice(0, part.length - announced.length));
    part = [...announced, piece];
    length = joined(part).length;
  }
  return [...parts, part]
    .filter(({ length: pieces }) => pieces > 0)
    .map((pieces) => ({ text: joined(pieces), page: pageNumber(pieces) }));
}

const pageNumber = (part: readonly TextPiece[]): number | undefined =>
  part.find(({ page }) => page !== undefined)?.page;

function turnsPage(part: readonly TextPiece[], { page }: TextPiece): boolean {
  const current = pageNumber(part);
  return page !== undefined && current !== undefined && page !== current;
}

function separatorBefore(piece: TextPiece, previous: TextPiece | undefined): string {
  if (!previous) return '';
  return previous.kind === 'item' && piece.kind === 'item' ? '\n' : '\n\n';
}

function joined(part: readonly TextPiece[]): string {
  return part.map((piece, at) => separatorBefore(piece, part[at - 1]) + piece.text).join('');
}

/** The last block of a part, if it announces the next one and both fit into a part; otherwise nothing. */
function announcing(part: readonly TextPiece[], next: TextPiece): readonly TextPiece[] {
  const last = part.at(-1);
  if (part.length < 2 || last?.kind !== 'text' || !last.text.endsWith(':')) return [];
  return joined([last, next]).length > MAX_SECTION_CHARS ? [] : [last];
}

function cutBlock({ text: source, ...block }: TextPiece): readonly TextPiece[] {
  // The indentation of the first line matters in code and lists.
  const { kind } = block;
  const text = kind === 'text' ? source.trim() : source.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
  return cutText(kind, text)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => ({ ...block, text: piece }));
}

function cutText(kind: TextPiece['kind'], text: string): readonly string[] {
  if (text.length <= MAX_SECTION_CHARS) return [text];
  if (kind === 'table') return splitTable(text) ?? splitProse(text);
  if (kind === 'fence') return splitFence(text) ?? splitProse(text);
  return splitProse(text);
}

/** Makes pieces as long as possible that end at a paragraph, else at a sentence, else at a word. */
function splitProse(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > MAX_SECTION_CHARS) {
    const end = from + cutOffset(text.slice(from, from + MAX_SECTION_CHARS + 1));
    pieces.push(text.slice(from, end).trimEnd());
    from = end;
    while (from < text.length && isSpace(text.charAt(from))) from++;
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '');
}

/** Finds the best place to split, from the limit back to half of it, so that pieces don't get small. */
function cutOffset(window: string): number {
  const minLength = MAX_SECTION_CHARS / 2;
  const paragraph = window.lastIndexOf('\n\n', MAX_SECTION_CHARS);
  if (paragraph >= minLength) return paragraph;
  let space = -1;
  for (let at = MAX_SECTION_CHARS; at > minLength; at--) {
    if (endsSentence(window, at)) return at;
    if (space < 0 && isSpace(window.charAt(at))) space = at;
  }
  return space > 0 ? space : wholeOffset(window, MAX_SECTION_CHARS);
}

function endsSentence(window: string, at: number): boolean {
  const before = window.charAt(at - 1);
  return '。！？'.includes(before) || ('.!?…'.includes(before) && isSpace(window.charAt(at)));
}

function isSpace(char: string): boolean {
  return char !== '' && char.trim() === '';
}

interface FramedLines {
  readonly head: readonly string[];
  readonly lines: readonly string[];
  readonly tail: readonly string[];
}

/** Splits a table between rows; each piece repeats its two header rows. Null if they take over half of the limit. */
function splitTable(text: string): readonly string[] | null {
  const lines = text.split('\n');
  return packLines({ head: lines.slice(0, 2), lines: lines.slice(2), tail: [] });
}

/** Splits code between lines; each piece is a complete fence. Null if the marks take more than half of the limit. */
function splitFence(text: string): readonly string[] | null {
  const lines = text.split('\n');
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0] ?? '')?.[1];
  if (mark === undefined) return packLines({ head: [], lines, tail: [] });
  const isClosed = closesFence(lines.at(-1) ?? '', mark);
  return packLines({
    head: lines.slice(0, 1),
    lines: lines.slice(1, isClosed ? -1 : undefined),
    tail: [mark],
  });
}

function packLines({ head, lines, tail }: FramedLines): readonly string[] | null {
  const available = MAX_SECTION_CHARS - [...head, ...tail].reduce((sum, line) => sum + line.length + 1, 0);
  if (available < MAX_SECTION_CHARS / 2) return null;
  const pieces: string[] = [];
  let packed: string[] = [];
  let length = 0;
  const close = (): void => {
    if (packed.some((line) => line.trim() !== '')) pieces.push([...head, ...packed, ...tail].join('\n'));
    packed = [];
    length = 0;
  };
  for (const line of lines.flatMap((long) => cutLine(long, available))) {
    if (packed.length > 0 && length + 1 + line.length > available) close();
    length += line.length + (packed.length > 0 ? 1 : 0);
    packed.push(line);
  }
  close();
  return pieces;
}

function cutLine(line: string, available: number): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  while (line.length - from > available) {
    const end = wholeOffset(line, from + available);
    pieces.push(line.slice(from, end));
    from = end;
  }
  return [...pieces, line.slice(from)];
}
