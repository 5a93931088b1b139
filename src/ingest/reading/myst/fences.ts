import type { SourceLine } from '../rst/source-line.js';

/** Marks of list items and quotations, the marks of a fence, and the text after them. */
const FENCE =
  /^((?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*)(`{3,20}(?!`)(?=[^`]*$)|[~]{3,20}(?!~)|:{3,20}(?!:))[ \t]*(.*)$/;
/** A fence may be closed by a line that is indented by this much more. */
const MAX_MORE_MARGIN = 3;

/** The first line of a block between fences. */
export interface FenceStart {
  /** Characters before the marks. */
  readonly margin: number;
  readonly marks: string;
  /** The text after the marks. */
  readonly info: string;
  /** True if only spaces are before the marks. */
  readonly isAlone: boolean;
}

/** Reads the first line of a block between fences; null for other lines. Colons begin a block of MyST, or text. */
export function fenceStart(line: string): FenceStart | null {
  const [, before = '', marks, info = ''] = FENCE.exec(line.trimEnd()) ?? [];
  if (marks === undefined) return null;
  return { margin: before.length, marks, info, isAlone: /^ *$/.test(before) };
}

/** Finds the ends of fences. It remembers which are not closed, so that all searches take linear time together. */
export class FenceEnds {
  /** For each margin and character, the length of the shortest fence that is not closed. */
  private readonly unclosed = new Map<string, number>();

  constructor(private readonly lines: readonly SourceLine[]) {}

  /**
   * The position of the line that closes a fence; null if none does.
   * @param at  position of the line of the fence; calls come in rising order
   */
  after(at: number, { marks, margin }: FenceStart): number | null {
    const mark = marks.charAt(0);
    const key = `${margin}${mark}`;
    if (marks.length >= (this.unclosed.get(key) ?? Infinity)) return null;
    for (let end = at + 1; end < this.lines.length; end++) {
      const text = this.lines[end]?.text ?? '';
      const line = text.replace(/^[\s>]{0,60}/, '').trimEnd();
      const isNear = text.indexOf(mark) <= margin + MAX_MORE_MARGIN;
      if (isNear && line.startsWith(marks) && line === mark.repeat(line.length)) return end;
    }
    this.unclosed.set(key, marks.length);
    return null;
  }
}
