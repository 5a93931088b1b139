/** A line that may open or close a fence, with marks of quotations and lists before it. */
const FENCE = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)(?![^\n]*`)|~{3,})[ \t]*(\S?)/;

/** A line of a fence. */
export interface FenceLine {
  /** The text before the marks in the further lines of the block: white space and the marks of quotations. */
  readonly prefix: string;
  readonly marks: string;
  /** True if text follows the marks, so that the line opens a block. */
  readonly hasLanguage: boolean;
}

/** Reads the line of a fence; null for other lines. */
export function fenceLine(line: string): FenceLine | null {
  const [, before = '', marks, language] = FENCE.exec(line) ?? [];
  if (marks === undefined) return null;
  return { prefix: before.replace(/[^ \t>]/g, ' '), marks, hasLanguage: language !== '' };
}

/** The fence that is open at the end of a text; null without one. */
export function openFence(text: string): FenceLine | null {
  let open: FenceLine | null = null;
  for (const line of text.split('\n')) {
    const fence = fenceLine(line);
    if (!fence) continue;
    // A fence with a language opens a block, so that the one before was an end.
    if (!open || (fence.hasLanguage && fence.marks.startsWith(open.marks))) open = fence;
    else if (fence.marks.startsWith(open.marks)) open = null;
  }
  return open;
}
