import { isMarkupLine } from './markup-line.js';

const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
/** A line of a layout tag or component, or of the end of a block (`///`, `:::`). */
const BARE_TAG = /^[ \t>]*(?:(?:<\/?[A-Za-z][\w.-]{0,60}(?:\s[^<>]{0,500})?>[ \t]*)+|\/{3,}|:{3,})[ \t]*$/;
/** The first line of an admonition, a tab or a container: its kind and title are text. */
const BLOCK_START = /^(?:\[!|!!!|\?\?\?|={3,4}[!+]?[ \t]|\/{3,}|:{3,}|@)/;
const BLANK = /^[ \t>]*$/;
const TABLE_ROW = /^[ \t>]*\|/;
const SEPARATOR_ROW = /^[\s>|:-]+$/;

/** True for a line of prose that only the documentation system reads: tags, images, includes, template syntax, rules. */
function isSyntaxOnly(line: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd();
  return BARE_TAG.test(line) || (isMarkupLine(bare) && !BLOCK_START.test(bare));
}

/** A row of a table without the spaces and dashes that align its columns. */
export function withoutPadding(row: string): string {
  const dashes = SEPARATOR_ROW.test(row) ? row.replace(/-{4,}/g, '---') : row;
  return dashes.replace(/[ \t]{2,}(?=\|)/g, ' ').replace(/\|[ \t]{2,}/g, '| ');
}

/**
 * Prepares a text for reading: leaves out the lines that have only syntax, and the padding of tables. Code is not
 * changed, nor is a text that may begin or end within a block of code.
 */
export function readableText(text: string): string {
  const lines = text.split('\n');
  if (lines.filter((line) => FENCE.test(line)).length % 2 === 1) return text;
  let inCode = false;
  const kept: string[] = [];
  for (const line of lines) {
    if (FENCE.test(line)) inCode = !inCode;
    const isAfterBlank = BLANK.test(kept.at(-1) ?? '');
    if (inCode) kept.push(line);
    else if (!isSyntaxOnly(line) && !(BLANK.test(line) && isAfterBlank))
      kept.push(TABLE_ROW.test(line) ? withoutPadding(line) : line);
  }
  return kept.join('\n').trimEnd();
}
