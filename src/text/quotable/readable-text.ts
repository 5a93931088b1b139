import { blockLead } from './block-lead.js';
import { IndentedCode, markedCode } from './code-lines.js';
import { withoutInlineSyntax } from './inline-syntax.js';
import { looksLikeCode } from './looks-like-code.js';
import { isMarkupLine, isSplitDefinition } from './markup-line.js';

/** A line of layout tags or components, or of the end of a block (`///`, `:::`). */
const BARE_TAG = /^(?:(?:<\/?[A-Za-z][\w.-]{0,60}(?:\s[^<>]{0,500})?>[ \t]*)+|\/{3,}|:{3,})$/;
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

/** A line outside code as it is shown; null if it is only syntax. */
function shownLine(line: string, last: string, next: string): string | null {
  const prefix = PREFIX.exec(line)?.[0] ?? '';
  const bare = line.slice(prefix.length).trimEnd();
  if (bare === '') return line;
  const [, kramdown] = KRAMDOWN_KIND.exec(bare) ?? [];
  const isAbove = BLANK.test(last) && !BLANK.test(next);
  const lead = kramdown !== undefined && isAbove ? blockLead(`:::${kramdown}`) : blockLead(bare);
  if (lead !== undefined) return lead === null ? null : prefix + lead;
  if (BARE_TAG.test(bare) || isMarkupLine(bare)) return null;
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
  const kept: string[] = [];
  for (const [i, whole] of lines.entries()) {
    const line = dedent.read(whole, isMarked[i] ?? false);
    if (isMarked[i]) indented.skip();
    if (isMarked[i] || indented.read(line)) {
      kept.push(line);
      continue;
    }
    dedent.enter(whole);
    const shown = shownLine(line, lines[i - 1] ?? '', lines[i + 1] ?? '');
    if (shown === null || (BLANK.test(shown) && BLANK.test(kept.at(-1) ?? ''))) continue;
    kept.push(shown);
  }
  return kept.join('\n').trimEnd();
}
