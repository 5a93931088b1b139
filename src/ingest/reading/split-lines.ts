import { wholeOffset } from '../../text/clip-text.js';
import { closesFence } from './markdown/find-code.js';

/** Lines to pack; every piece repeats the head and the tail. */
interface FramedLines {
  readonly head: readonly string[];
  readonly lines: readonly string[];
  readonly tail: readonly string[];
}

/**
 * Splits a table between rows; each piece starts with the header row and its delimiter row.
 * @returns null if these two rows take more than half of the limit
 */
export function splitTable(text: string, limit: number): readonly string[] | null {
  const lines = text.split('\n');
  return packLines({ head: lines.slice(0, 2), lines: lines.slice(2), tail: [] }, limit);
}

/**
 * Splits code between lines; each piece is a complete fence. Indented code has no fence marks.
 * @returns null if the fence marks take more than half of the limit
 */
export function splitFence(text: string, limit: number): readonly string[] | null {
  const lines = text.split('\n');
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(lines[0] ?? '')?.[1];
  if (mark === undefined) return packLines({ head: [], lines, tail: [] }, limit);
  const isClosed = closesFence(lines.at(-1) ?? '', mark);
  return packLines(
    { head: lines.slice(0, 1), lines: lines.slice(1, isClosed ? -1 : undefined), tail: [mark] },
    limit,
  );
}

function packLines({ head, lines, tail }: FramedLines, limit: number): readonly string[] | null {
  const available = limit - [...head, ...tail].reduce((sum, line) => sum + line.length + 1, 0);
  if (available < limit / 2) return null;
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
