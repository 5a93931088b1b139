const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/;
/** A line of a layout tag or component, or of the end of a block (`///`, `:::`). Names and titles of blocks are text. */
const BARE_TAG = /^[ \t>]*(?:(?:<\/?[A-Za-z][\w.-]{0,60}(?:\s[^<>]{0,500})?>[ \t]*)+|\/{3,}|:{3,})[ \t]*$/;
const BLANK = /^[ \t>]*$/;

/**
 * Leaves out the lines of a text that have only tags, for reading. Code is not changed, nor is a text that may begin or
 * end within a block of code.
 */
export function withoutBareTags(text: string): string {
  const lines = text.split('\n');
  if (lines.filter((line) => FENCE.test(line)).length % 2 === 1) return text;
  let inCode = false;
  const kept: string[] = [];
  for (const line of lines) {
    if (FENCE.test(line)) inCode = !inCode;
    const isAfterBlank = BLANK.test(kept.at(-1) ?? '');
    if (inCode || !(BARE_TAG.test(line) || (BLANK.test(line) && isAfterBlank))) kept.push(line);
  }
  return kept.join('\n').trimEnd();
}
