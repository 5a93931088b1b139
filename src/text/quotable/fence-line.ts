/** A line that may open or close a fence, with marks of quotations and lists before it. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?![^\n]*`)|~{3,})[ \t]*(\S?)/;

/** A line of a fence. */
export interface FenceLine {
  readonly marks: string;
  /** True if text follows the marks, so that the line opens a block. */
  readonly hasLanguage: boolean;
}

/** Reads the line of a fence; null for other lines. */
export function fenceLine(line: string): FenceLine | null {
  const [, marks, language] = FENCE.exec(line) ?? [];
  return marks === undefined ? null : { marks, hasLanguage: language !== '' };
}
