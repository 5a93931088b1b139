import type { TagLink } from '../parsed-document.js';
import { kindOf } from '../rst/directive-kinds.js';
import { convertDirective } from '../rst/directives/convert-directive.js';
import { convertRst } from '../rst/read-rst.js';
import type { RstConverter } from '../rst/rst-converter.js';
import { indent, isBlank, outdent, type SourceLine, toSourceLines } from '../rst/source-line.js';
import { FenceEnds } from './fence-ends.js';
import { parseMystDirective } from './parse-myst-directive.js';

/** The first line of a directive: its margin, its fence, its name and the text after it. */
const DIRECTIVE = /^( {0,40})(`{3,}|~{3,}|:{3,})\{([A-Za-z][\w:+.-]{0,80})\}(?:[ \t]+(.*))?$/;
/** The first line of a block of code. */
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
/** Deeper nesting is code: each level reads its lines again. */
const MAX_DEPTH = 8;
/** A directive that contains reStructuredText. */
const RST = 'eval-rst';

interface ConvertedMyst {
  /** With the line numbers of the source. */
  readonly lines: readonly SourceLine[];
  /** The pages that the tables of contents list. */
  readonly links: readonly TagLink[];
}

/** Converts the directives of MyST to Markdown. All other lines stay as they are. Takes time linear in the text. */
export function convertMyst(text: string): ConvertedMyst {
  const links: TagLink[] = [];
  const converter: RstConverter = {
    inline: (own) => own,
    plain: (own) => own.replaceAll('**', ''),
    blocks: (lines, depth) => convertLines(converter, lines, depth),
    levelOf: () => 1,
    addLabel: () => undefined,
    addLink: (href, line) => links.push({ href, line }),
  };
  const source = text.split('\n').map((own, at) => ({ text: own, line: at + 1 }));
  return { lines: convertLines(converter, source, 0), links };
}

function convertLines(
  converter: RstConverter,
  lines: readonly SourceLine[],
  depth: number,
): readonly SourceLine[] {
  const out: SourceLine[] = [];
  const ends = new FenceEnds(lines);
  for (let at = 0; at < lines.length; at++) {
    const own = lines[at] ?? { text: '', line: 0 };
    const opening = readOpening(own.text);
    const end = opening && ends.after(at, opening.marks);
    if (opening && end !== null && opening.isDirective && depth < MAX_DEPTH) {
      const body = bodyOf(lines.slice(at + 1, end), opening.margin);
      const converted = convertBody(converter, { ...opening, line: own.line, body }, depth);
      const blank = { text: '', line: own.line };
      if (!isBlank(out.at(-1))) out.push(blank);
      for (const line of indent(converted, opening.margin)) out.push(line);
      out.push(blank);
      at = end;
      continue;
    }
    const last = !opening || opening.marks.startsWith(':') ? at : (end ?? lines.length - 1);
    for (; at < last; at++) out.push(lines[at] ?? own);
    out.push(lines[at] ?? own);
  }
  return out;
}

interface Opening {
  /** Spaces before the fence. */
  readonly margin: number;
  readonly marks: string;
  readonly name: string;
  readonly argument: string;
  readonly isDirective: boolean;
}

/** Reads the first line of a directive or a block of code; null for other lines. */
function readOpening(line: string): Opening | null {
  const [, margin = '', marks, name = '', argument = ''] = DIRECTIVE.exec(line.trimEnd()) ?? [];
  if (marks !== undefined) {
    const isDirective = name === RST || kindOf(name.toLowerCase()) !== 'unknown';
    return { margin: margin.length, marks, name: name.toLowerCase(), argument, isDirective };
  }
  const [, fence] = FENCE.exec(line) ?? [];
  return fence === undefined ? null : { margin: 0, marks: fence, name: '', argument: '', isDirective: false };
}

/** Lines without the margin of their fence. */
function bodyOf(lines: readonly SourceLine[], margin: number): readonly SourceLine[] {
  const texts = toSourceLines(lines.map(({ text }) => text).join('\n'));
  const kept = lines.map((own, at) => ({ text: texts[at]?.text ?? '', line: own.line }));
  return outdent(kept, margin);
}

function convertBody(
  converter: RstConverter,
  opening: Opening & { readonly line: number; readonly body: readonly SourceLine[] },
  depth: number,
): readonly SourceLine[] {
  if (opening.name !== RST) return convertDirective(parseMystDirective(opening), { rst: converter, depth });
  const lineOf = (line: number): number => opening.body[line - 1]?.line ?? opening.line;
  const { lines, links } = convertRst(opening.body.map(({ text }) => text).join('\n'));
  for (const { href, line } of links) converter.addLink(href, lineOf(line));
  return lines.map(({ text, line }) => ({ text, line: lineOf(line) }));
}
