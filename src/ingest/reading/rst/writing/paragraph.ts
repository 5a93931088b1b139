import type { RstConverter } from '../rst-converter.js';
import { numbered, type SourceLine } from '../source-line.js';

/** The start of a line that Markdown would read as a heading, a fence, an underline or a quotation. */
const MISREAD = /^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-+)$|>)/gm;

/** Converts the text of a paragraph; line breaks are kept. */
export function paragraph(rst: RstConverter, lines: readonly SourceLine[]): readonly SourceLine[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return [];
  const text = rst.inline(lines.map((own) => own.text).join('\n')).replace(MISREAD, '\\');
  return numbered(text, first.line, last.line);
}

/** Text below the level to which nesting is read, as one paragraph. */
export function flatParagraph(rst: RstConverter, lines: readonly SourceLine[]): readonly SourceLine[] {
  return paragraph(
    rst,
    lines.map((own) => ({ ...own, text: own.text.trimStart() })),
  );
}
