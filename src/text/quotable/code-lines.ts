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

/** First and last lines of blocks of code without fences: Jekyll, Hugo and HTML. */
const TAGGED: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^[ \t>]*\{%-?[ \t]*(?:highlight|codeblock)\b/, /\{%-?[ \t]*end(?:highlight|codeblock)\b/],
  [/^[ \t>]*\{\{[<%][ \t]*highlight\b/, /\{\{[<%][ \t]*\/[ \t]*highlight\b/],
  [/^[ \t>]*<pre(?=[\s>]|$)/i, /<\/pre>/i],
];
const QUOTATION = /^(?: {0,3}> ?)*/;
/** A step of indentation. */
const STEP = /^(?: {4}|\t)/;
/** Starts of blocks whose text may be indented: list items, definitions, footnotes, components. */
const HOLDER = /^(?:[ \t]*(?:(?:[-*+•:]|\d{1,9}[.)])[ \t]|\[\^[^\]]{1,300}\]:)|<[A-Z])/;
/** Starts of blocks that are not code, even if the list around them is left out. */
const NEVER_CODE = /^[ \t]*(?:[-*+•][ \t]|\d{1,9}[.)][ \t]|!!!|\?\?\?|={3,4}[!+]?[ \t]+")/;

/** Reads the blocks of code that have a first and a last line. */
class MarkedCode {
  private marks = '';
  private end: RegExp | null = null;
  private isStartSeen = false;
  /** True if a block begins before the text. */
  private isCut = false;

  /** True if the line belongs to code. */
  read(line: string): boolean {
    return this.marks === '' && this.readTag(line) ? true : this.readFence(line);
  }

  /** True if the text may begin or end within a block. */
  isUnclear(): boolean {
    return this.isCut || (this.marks !== '' && !this.isStartSeen);
  }

  private readTag(line: string): boolean {
    const end = this.end ?? TAGGED.find(([start]) => start.test(line))?.[1];
    if (end) this.end = end.test(line) ? null : end;
    else this.isCut ||= TAGGED.some(([, last]) => line.trimStart().search(last) === 0);
    return end !== undefined;
  }

  private readFence(line: string): boolean {
    const isOpen = this.marks !== '';
    const { marks = '', hasLanguage = false } = fenceLine(line) ?? {};
    if (marks === '') return isOpen;
    if (!isOpen) {
      this.marks = marks;
      this.isStartSeen ||= hasLanguage;
    } else if (marks.startsWith(this.marks)) {
      // A fence with a language opens a block, so that the one before was an end.
      this.isCut ||= hasLanguage;
      this.marks = '';
    }
    return true;
  }
}

/**
 * For each line, true if it belongs to a block of code in fences or tags; null if the text may begin or end within a
 * block.
 */
export function markedCode(lines: readonly string[]): readonly boolean[] | null {
  const reader = new MarkedCode();
  const isCode = lines.map((line) => reader.read(line));
  return reader.isUnclear() ? null : isCode;
}

/** Finds code that only its indentation marks, line by line. */
export class IndentedCode {
  private isCode = false;
  private isAfterBlank = false;
  /** True within a list or another block whose text may be indented. */
  private isHeld = false;

  /** True if the line belongs to indented code. */
  read(line: string): boolean {
    const text = line.replace(QUOTATION, '');
    if (text.trim() === '') {
      this.isAfterBlank = true;
      return this.isCode;
    }
    if (this.isAfterBlank && /^\S/.test(text)) this.isHeld = false;
    const mayBegin = this.isCode || (this.isAfterBlank && !this.isHeld && !NEVER_CODE.test(text));
    this.isCode = mayBegin && STEP.test(text);
    this.isHeld ||= !this.isCode && HOLDER.test(text);
    this.isAfterBlank = false;
    return this.isCode;
  }

  /** Ends at a block of code with marks. */
  skip(): void {
    this.isCode = false;
    this.isAfterBlank = false;
  }
}
