import type { TagLink } from '../parsed-document.js';
import { convertDefinition } from '../rst/blocks/lists.js';
import { kindOf } from '../rst/directive-kinds.js';
import { convertDirective } from '../rst/directives/convert-directive.js';
import type { Directive } from '../rst/directives/parse-directive.js';
import { convertRst } from '../rst/read-rst.js';
import type { RstConverter } from '../rst/rst-converter.js';
import { dedent, indent, isBlank, outdent, type SourceLine, trimBlank } from '../rst/source-line.js';

const OPTION = /^:([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_OPTION = /^([A-Za-z][\w.-]{0,60}):(?: +(.*))?$/;
const YAML_MARK = '---';
const QUOTED = /^(["'])(.*)\1$/;

interface MystDirective {
  /** In lower case. */
  readonly name: string;
  readonly argument: string;
  readonly line: number;
  readonly body: readonly SourceLine[];
}

/** Reads the options of a directive, in lines with colons or between two lines of `---`, and its content. */
function parseMystDirective({ name, argument, line, body }: MystDirective): Directive {
  const isYaml = body[0]?.text === YAML_MARK && body.slice(1).some(({ text }) => text === YAML_MARK);
  const pattern = isYaml ? YAML_OPTION : OPTION;
  const parts = new Map<string, string[]>();
  let key: string | undefined;
  let at = isYaml ? 1 : 0;
  for (; at < body.length; at++) {
    const text = body[at]?.text ?? '';
    const [, named, value = ''] = pattern.exec(text) ?? [];
    if (isYaml ? text === YAML_MARK : named === undefined) break;
    key = named?.toLowerCase() ?? key;
    if (key === undefined) continue;
    const before = named === undefined ? (parts.get(key) ?? []) : [];
    before.push(named === undefined ? text.trim() : value.trim());
    parts.set(key, before);
  }
  const options = new Map(
    [...parts].map(([name, texts]) => [name, texts.join(' ').trim().replace(QUOTED, '$2')] as const),
  );
  return {
    name,
    argument: argument.trim() === '' ? [] : [{ text: argument.trim(), line }],
    options,
    content: dedent(trimBlank(body.slice(isYaml ? at + 1 : at))),
    line,
  };
}

/** Marks of list items and quotations, the marks of a fence, and the text after them. */
const FENCE =
  /^((?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*)(`{3,20}(?!`)(?=[^`]*$)|[~]{3,20}(?!~)|:{3,20}(?!:))[ \t]*(.*)$/;
/** A fence may be closed by a line that is indented by this much more. */
const MAX_MORE_MARGIN = 3;

/** The first line of a block between fences. */
interface FenceStart {
  /** Characters before the marks. */
  readonly margin: number;
  readonly marks: string;
  /** The text after the marks. */
  readonly info: string;
  /** True if only spaces are before the marks. */
  readonly isAlone: boolean;
}

/** Reads the first line of a block between fences; null for other lines. Colons begin a block of MyST, or text. */
function fenceStart(line: string): FenceStart | null {
  const [, before = '', marks, info = ''] = FENCE.exec(line.trimEnd()) ?? [];
  if (marks === undefined) return null;
  return { margin: before.length, marks, info, isAlone: /^ *$/.test(before) };
}

/** Finds the ends of fences. It remembers which are not closed, so that all searches take linear time together. */
class FenceEnds {
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

/** The name of a directive after its fence, and the text after it. */
const NAME = /^\{([A-Za-z][\w:+.-]{0,80})\}(?:[ \t]+(.*))?$/;
/** Deeper nesting stays as it is: each level reads its lines again. */
const MAX_DEPTH = 8;
/** A directive that contains reStructuredText. */
const RST = 'eval-rst';
const GLOSSARY = 'glossary';
/** Diagrams, which are code in other dialects of Markdown. */
const DIAGRAMS = new Set(['mermaid', 'graphviz', 'plantuml', 'uml', 'ditaa', 'digraph', 'graph']);

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
  let item = 0;
  for (let at = 0; at < lines.length; at++) {
    const own = lines[at] ?? { text: '', line: 0 };
    const fence = fenceStart(own.text);
    const opening = fence && depth < MAX_DEPTH && fence.margin <= item + 3 ? readOpening(fence) : null;
    const end = fence && (opening || !fence.marks.startsWith(':')) ? ends.after(at, fence) : null;
    if (opening && end !== null) {
      const body = bodyOf(lines.slice(at + 1, end), opening.margin);
      const converted = convertBody(converter, { ...opening, line: own.line, body }, depth);
      const blank = { text: '', line: own.line };
      if (!isBlank(out.at(-1))) out.push(blank);
      for (const line of indent(converted, opening.margin)) out.push(line);
      out.push(blank);
      at = end;
      continue;
    }
    item = itemMargin(own.text, item);
    const isCode = fence !== null && !fence.marks.startsWith(':');
    const last = isCode ? (end ?? lines.length - 1) : at;
    for (; at < last; at++) out.push(lines[at] ?? own);
    const line = lines[at] ?? own;
    out.push(line);
    // It would end with the directive.
    if (isCode && end === null && depth > 0)
      out.push({ text: ' '.repeat(fence.margin) + fence.marks, line: line.line });
  }
  return out;
}

const ITEM = /^ *(?:[-*+]|\d{1,9}[.)]) +/;

/** The column of the text of a list item: that of a new item, or of the item that a line can belong to. */
function itemMargin(line: string, before: number): number {
  const [mark] = ITEM.exec(line) ?? [];
  if (mark !== undefined) return mark.length;
  return /^\S/.test(line) ? 0 : before;
}

interface Opening {
  /** Spaces before the fence. */
  readonly margin: number;
  /** In lower case. */
  readonly name: string;
  readonly argument: string;
}

/** Reads the first line of a directive; null for a fence of other lines. */
function readOpening({ margin, info, isAlone }: FenceStart): Opening | null {
  const [, found, argument = ''] = NAME.exec(info) ?? [];
  const name = found?.toLowerCase() ?? '';
  const isKnown = name === RST || (kindOf(name) !== 'unknown' && !DIAGRAMS.has(name));
  return isAlone && found !== undefined && isKnown ? { margin, name, argument } : null;
}

/** Lines without the margin of their fence. */
function bodyOf(lines: readonly SourceLine[], margin: number): readonly SourceLine[] {
  return outdent(
    lines.map(({ text, line }) => ({ text: text.trimEnd(), line })),
    margin,
  );
}

function convertBody(
  converter: RstConverter,
  opening: Opening & { readonly line: number; readonly body: readonly SourceLine[] },
  depth: number,
): readonly SourceLine[] {
  const { name, body } = opening;
  if (name === RST) return convertRstBody(converter, opening);
  if (name === GLOSSARY) return convertGlossary(converter, parseMystDirective(opening).content, depth);
  return convertDirective(parseMystDirective({ ...opening, body }), { rst: converter, depth });
}

function convertRstBody(
  converter: RstConverter,
  { body, line: first }: { readonly line: number; readonly body: readonly SourceLine[] },
): readonly SourceLine[] {
  const lineOf = (line: number): number => body[line - 1]?.line ?? first;
  const { lines, links } = convertRst(body.map(({ text }) => text).join('\n'));
  for (const { href, line } of links) converter.addLink(href, lineOf(line));
  return lines.map(({ text, line }) => ({ text, line: lineOf(line) }));
}

/** Terms with the indented text below them. */
function convertGlossary(
  rst: RstConverter,
  lines: readonly SourceLine[],
  depth: number,
): readonly SourceLine[] {
  const out: SourceLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    const entry = convertDefinition(lines, at, { rst, depth });
    for (const line of entry?.lines ?? lines.slice(at, at + 1)) out.push(line);
    at = Math.max(at, (entry?.end ?? 0) - 1);
  }
  return dedent(out);
}
