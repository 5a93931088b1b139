import { wholeOffset } from '../../text/clip-text.js';
import { splitFence, splitTable } from '../reading/split-lines.js';

/** A section's text may have this many UTF-16 units. */
export const MAX_SECTION_CHARS = 4000;

/** A body block, or a piece of one. */
export interface TextPiece {
  readonly kind: 'text' | 'fence' | 'table' | 'item';
  readonly text: string;
}

/**
 * Packs blocks into parts in their order, each as full as the next block allows; a block is cut only when it alone is too long.
 * @returns parts of at most MAX_SECTION_CHARS; [] for no text
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
  // The first line of code and of a list may be indented for a reason.
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

/** Each piece is as long as it can be while it ends a paragraph, else a sentence, else a word. */
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

/** Looks back from the limit for the best place to cut; no further than half of it, lest pieces get small. */
function cutOffset(window: string): number {
  const least = MAX_SECTION_CHARS / 2;
  const paragraph = window.lastIndexOf('\n\n', MAX_SECTION_CHARS);
  if (paragraph >= least) return paragraph;
  let space = -1;
  for (let at = MAX_SECTION_CHARS; at > least; at--) {
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
