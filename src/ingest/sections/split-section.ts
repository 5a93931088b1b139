import { wholeOffset } from '../../text/clip-text.js';
import type { BodyBlock } from '../reading/parsed-document.js';
import { splitFence, splitTable } from '../reading/split-lines.js';

/** Longest text of a section, in UTF-16 units. */
export const MAX_SECTION_CHARS = 4000;

/** A body block, or a part of one. */
export type TextPiece = Pick<BodyBlock, 'kind' | 'text'>;

/**
 * Packs blocks into as few parts as possible, in order. A block is split only if it alone exceeds the limit.
 * @returns parts of at most MAX_SECTION_CHARS; [] without text
 */
export function splitSection(blocks: readonly TextPiece[]): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let previous: TextPiece | null = null;
  for (const piece of blocks.flatMap(cutBlock)) {
    const separator: string = previous?.kind === 'item' && piece.kind === 'item' ? '\n' : '\n\n';
    if (previous && part.length + separator.length + piece.text.length > MAX_SECTION_CHARS) {
      parts.push(part);
      previous = null;
    }
    part = previous ? part + separator + piece.text : piece.text;
    previous = piece;
  }
  return previous ? [...parts, part] : parts;
}

function cutBlock({ kind, text: source }: TextPiece): readonly TextPiece[] {
  // The indentation of the first line matters in code and lists.
  const text = kind === 'text' ? source.trim() : source.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
  return cutText(kind, text)
    .filter((piece) => piece.trim() !== '')
    .map((piece) => ({ kind, text: piece }));
}

function cutText(kind: TextPiece['kind'], text: string): readonly string[] {
  if (text.length <= MAX_SECTION_CHARS) return [text];
  if (kind === 'table') return splitTable(text, MAX_SECTION_CHARS) ?? splitProse(text);
  if (kind === 'fence') return splitFence(text, MAX_SECTION_CHARS) ?? splitProse(text);
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

/**
 * Searches back from the limit for the best place to split; at most half of the limit, so that pieces don't get small.
 */
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
