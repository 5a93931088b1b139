import { blockLead } from './block-lead.js';
import { fenceLine, IndentedCode, markedCode } from './code-lines.js';
import { shownCaption, withoutInlineSyntax } from './inline-syntax.js';
import { isMarkupLine, isSplitDefinition } from './markup-line.js';

/** A line that may be a comment, which has words as prose has. */
const COMMENT = /^(?:\/\/|\/\*|\*\/|#|--|;)/;
/**
 * Links, emphasis, tables and quotations; five words in a row, or words and a full stop; the start of a container of a
 * documentation system.
 */
const PROSE =
  /\]\(|\]\[|\*\*|\{:[ \t]?[.#][^{}]{0,300}\}$|^\||^> |(?:\b\p{Ll}{2,},?\s+){4}\p{Ll}{2}|^\p{Lu}[\p{L} ,’'-]{0,80}\.$|^(?:[:!]{3} |\?{3}|={3} "|\/{3,} ?(?:[a-z-]+(?: \|.*)?)?$|\{(?:[%:]|\{[<%])|\[!)/mu;
/** Ends and starts of lines of code, calls and assignments. */
const CODE_LINE = /[;{}()[\],=\\<>]$|^[}\])<@$#%]|^(?:\/\/|\/\*|--)|=>|[\w)\]]\(|^[\w."'-]+[ \t]*[:=]/;

/**
 * True for a text that is probably a part of a block of code without the fences. Only code begins with white space in
 * a quote.
 */
export function looksLikeCode(text: string): boolean {
  const all = text.split('\n');
  if (all.some((line) => fenceLine(line))) return false;
  if (/^[ \t]/.test(text)) return true;
  const lines = all.map((line) => line.trim()).filter((line) => line !== '');
  if (PROSE.test(lines.filter((line) => !COMMENT.test(line)).join('\n'))) return false;
  return lines.filter((line) => CODE_LINE.test(line)).length * 2 > lines.length;
}

/** The end of a block (`///`, `:::`). */
const BLOCK_END = /^(?:\/{3,}|:{3,})$/;
const TAG_LINE = /^(?:<\/?[A-Za-z][\w.-]{0,60}(?:\s[^<>]{0,500})?\/?>[ \t]*)+$/;
/** Tags without values of attributes. The others cannot be taken for a placeholder (`<string>`) or a key (`<Enter>`). */
const PLAIN_TAG = /<([A-Za-z][\w.-]{0,60})(?:[ \t][\w \t-]{0,200})?>/g;
const CLOSING_TAG = /<\/([A-Za-z][\w.-]{0,60})/g;
/** Tags that are syntax even if the text does not close them. */
const LAYOUT_TAG =
  /^(?:blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|hr|li|ol|p|picture|span|summary|t(?:able|body|d|foot|h|head|r)|ul|Accordion(?:Group)?|Card(?:Grid|Group)?|CodeGroup|Columns?|FileTree|Frame|Steps?|Tab(?:Item|s)?)$/;
/** Blocks of MkDocs, whose text is indented. */
const INDENTED = /^(?:!!!|\?\?\?|={3,4}[!+]?[ \t]+")/;
/** An attribute of kramdown that names the kind of the paragraph below it. */
const KRAMDOWN_KIND = /^\{:[ \t]*\.([\w-]{1,40})[ \t]*\}$/;
const PREFIX = /^[ \t>]*/;
const BLANK = /^[ \t>]*$/;
const TABLE_ROW = /^[ \t>]*\|/;
const SEPARATOR_ROW = /^[\s>|:-]+$/;
/** A step of indentation. */
const STEP = /^(?: {4}|\t)/;

/** A row of a table without the spaces and dashes that align its columns. */
export function withoutPadding(row: string): string {
  const dashes = SEPARATOR_ROW.test(row) ? row.replace(/-{4,}/g, '---') : row;
  return dashes.replace(/(?<![ \t])[ \t]{2,}(?=\|)/g, ' ').replace(/\|[ \t]{2,}/g, '| ');
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].replace(/\t/g, '    ').length ?? 0;

/** Removes the indentation of the text in blocks of MkDocs, line by line. */
class Dedent {
  private readonly open: number[] = [];

  /** The line without the indentation of the open blocks. */
  read(line: string, isCode: boolean): string {
    if (line.trim() === '') return line;
    const indent = indentOf(line);
    while (!isCode && this.open.length > 0 && (this.open.at(-1) ?? 0) >= indent) this.open.pop();
    let rest = line;
    for (let level = 0; level < this.open.length && STEP.test(rest); level++) rest = rest.replace(STEP, '');
    return rest;
  }

  /** Opens a block if a line outside code starts one. */
  enter(line: string): void {
    const bare = line.trim();
    if (INDENTED.test(bare) && isMarkupLine(bare)) this.open.push(indentOf(line));
  }
}

/** The lines before and after a line, and the tags of the whole text. */
interface Surroundings {
  readonly last: string;
  readonly next: string;
  /** The names of the tags that the text closes. */
  readonly closed: ReadonlySet<string>;
}

/** True for a line of layout tags or components. */
function isTagLine(bare: string, closed: ReadonlySet<string>): boolean {
  if (!TAG_LINE.test(bare)) return false;
  return Array.from(bare.matchAll(PLAIN_TAG)).every(
    ([, name = '']) => closed.has(name) || LAYOUT_TAG.test(name),
  );
}

/** A line outside code as it is shown; null if it is only syntax. */
function shownLine(line: string, { last, next, closed }: Surroundings): string | null {
  const prefix = PREFIX.exec(line)?.[0] ?? '';
  const bare = line.slice(prefix.length).trimEnd();
  if (bare === '') return line;
  const [, kramdown] = KRAMDOWN_KIND.exec(bare) ?? [];
  const isAbove = BLANK.test(last) && !BLANK.test(next);
  const lead = kramdown !== undefined && isAbove ? blockLead(`:::${kramdown}`) : blockLead(bare);
  if (lead) return prefix + lead;
  if (BLOCK_END.test(bare) || isTagLine(bare, closed)) return null;
  if (lead === null || isMarkupLine(bare)) {
    const seen = shownCaption(bare);
    return seen === '' ? null : prefix + seen;
  }
  if (isSplitDefinition(bare, next.trim()) || isSplitDefinition(last.trim(), bare)) return null;
  const shown = withoutInlineSyntax(TABLE_ROW.test(line) ? withoutPadding(line) : line);
  return BLANK.test(shown) ? null : shown;
}

/**
 * Prepares a text for reading: leaves out the lines that have only syntax, and the padding of tables, and shows the
 * kinds and titles of admonitions and tabs as bold text. Code is not changed, nor is a text that may begin or end
 * within a block of code.
 */
export function readableText(text: string): string {
  const lines = text.split('\n');
  const isMarked = looksLikeCode(text) ? null : markedCode(lines);
  if (isMarked === null) return text;
  const dedent = new Dedent();
  const indented = new IndentedCode();
  const closed = new Set(Array.from(text.matchAll(CLOSING_TAG), ([, name = '']) => name));
  const kept: string[] = [];
  for (const [i, whole] of lines.entries()) {
    const line = dedent.read(whole, isMarked[i] ?? false);
    if (isMarked[i]) indented.skip();
    if (isMarked[i] || indented.read(line)) {
      kept.push(line);
      continue;
    }
    dedent.enter(whole);
    const shown = shownLine(line, { last: lines[i - 1] ?? '', next: lines[i + 1] ?? '', closed });
    if (shown === null || (BLANK.test(shown) && BLANK.test(kept.at(-1) ?? ''))) continue;
    kept.push(shown);
  }
  return kept.join('\n').trimEnd();
}
