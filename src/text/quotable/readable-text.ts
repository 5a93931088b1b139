import { blockLead } from './block-lead.js';
import { withoutInlineSyntax } from './inline-syntax.js';
import { looksLikeCode } from './looks-like-code.js';
import { isMarkupLine, isSplitDefinition } from './markup-line.js';

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})[ \t]*(\S?)/;
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

/** For each line, true if it belongs to a block of code; null if the text may begin or end within a block. */
function codeLines(lines: readonly string[]): readonly boolean[] | null {
  let marks = '';
  let isOpening = false;
  const isCode: boolean[] = [];
  for (const line of lines) {
    const [, mark = '', language = ''] = FENCE.exec(line) ?? [];
    isCode.push(marks !== '' || mark !== '');
    if (mark === '') continue;
    if (marks === '') {
      marks = mark;
      isOpening ||= language !== '';
    } else if (mark.startsWith(marks)) {
      // A fence with a language opens a block, so that the one before was an end.
      if (language !== '') return null;
      marks = '';
    }
  }
  return marks === '' || isOpening ? isCode : null;
}

/** Removes the indentation of the text in blocks of MkDocs, line by line. */
class Dedent {
  private readonly open: number[] = [];

  read(line: string, isCode: boolean): string {
    if (line.trim() === '') return line;
    const indent = /^[ \t]*/.exec(line)?.[0].replace(/\t/g, '    ').length ?? 0;
    while (!isCode && this.open.length > 0 && (this.open.at(-1) ?? 0) >= indent) this.open.pop();
    let rest = line;
    for (let level = 0; level < this.open.length && STEP.test(rest); level++) rest = rest.replace(STEP, '');
    if (!isCode && INDENTED.test(line.trimStart())) this.open.push(indent);
    return rest;
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
  const isCode = looksLikeCode(text) ? null : codeLines(lines);
  if (isCode === null) return text;
  const dedent = new Dedent();
  const kept: string[] = [];
  for (const [i, whole] of lines.entries()) {
    const inCode = isCode[i] ?? false;
    const line = dedent.read(whole, inCode);
    const shown = inCode ? line : shownLine(line, lines[i - 1] ?? '', lines[i + 1] ?? '');
    if (shown === null || (!inCode && BLANK.test(shown) && BLANK.test(kept.at(-1) ?? ''))) continue;
    kept.push(shown);
  }
  return kept.join('\n').trimEnd();
}
