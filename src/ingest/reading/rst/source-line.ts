/** A line with the number of the source line that it comes from, from 1. */
export interface SourceLine {
  readonly text: string;
  readonly line: number;
}

/** Tab stops of reStructuredText. */
const TAB_STOP = 8;

/** Splits a text into lines without trailing white space; tabs at the start of a line become spaces. */
export function toSourceLines(text: string): SourceLine[] {
  return text.split('\n').map((line, at) => ({ text: expandTabs(line.trimEnd()), line: at + 1 }));
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let column = 0;
  let at = 0;
  for (; line[at] === ' ' || line[at] === '\t'; at++) {
    column = line[at] === ' ' ? column + 1 : (Math.floor(column / TAB_STOP) + 1) * TAB_STOP;
  }
  return ' '.repeat(column) + line.slice(at);
}

/** Number of spaces at the start of a line. */
export function indentOf({ text }: SourceLine): number {
  let indent = 0;
  while (text[indent] === ' ') indent++;
  return indent;
}

export const isBlank = (line: SourceLine | undefined): boolean => line === undefined || line.text === '';

/** The end of the lines from `from` that are indented or blank, without blank lines at the end. */
export function endOfIndented(lines: readonly SourceLine[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at++) {
    const text = lines[at]?.text ?? '';
    if (text !== '' && !text.startsWith(' ')) break;
    if (text !== '') end = at + 1;
  }
  return end;
}

/** Removes the indentation that all lines share. */
export function dedent(lines: readonly SourceLine[]): readonly SourceLine[] {
  const indents = lines.flatMap((line) => (line.text === '' ? [] : [indentOf(line)]));
  return outdent(
    lines,
    indents.reduce((a, b) => Math.min(a, b), Infinity),
  );
}

/** Removes at most `width` spaces from the start of each line. */
export function outdent(lines: readonly SourceLine[], width: number): readonly SourceLine[] {
  if (width === 0) return lines;
  return lines.map((own) => ({ ...own, text: own.text.slice(Math.min(width, indentOf(own))) }));
}

/** Adds spaces to the start of each line that is not blank. */
export function indent(lines: readonly SourceLine[], width: number): readonly SourceLine[] {
  const space = ' '.repeat(width);
  return lines.map((own) => (own.text === '' ? own : { ...own, text: space + own.text }));
}

/** Removes blank lines from both ends. */
export function trimBlank(lines: readonly SourceLine[]): readonly SourceLine[] {
  const start = lines.findIndex(({ text }) => text !== '');
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex(({ text }) => text !== '') + 1);
}

/** Gives lines of text the line numbers from `first` on, but none above `last`. */
export function numbered(text: string, first: number, last = Infinity): SourceLine[] {
  return text.split('\n').map((own, at) => ({ text: own, line: Math.min(first + at, last) }));
}
