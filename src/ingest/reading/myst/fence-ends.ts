import type { SourceLine } from '../rst/source-line.js';

/** Finds the ends of fences. It remembers which are not closed, so that all searches take linear time together. */
export class FenceEnds {
  /** For each character, the length of the shortest fence that is not closed. */
  private readonly unclosed = new Map<string, number>();

  constructor(private readonly lines: readonly SourceLine[]) {}

  /** The position of the line that closes a fence; null if none does. @param at  of its first line; not to decrease */
  after(at: number, marks: string): number | null {
    const mark = marks.charAt(0);
    if (marks.length >= (this.unclosed.get(mark) ?? Infinity)) return null;
    for (let end = at + 1; end < this.lines.length; end++) {
      const line = this.lines[end]?.text.trim() ?? '';
      if (line.startsWith(marks) && line === mark.repeat(line.length)) return end;
    }
    this.unclosed.set(mark, marks.length);
    return null;
  }
}
