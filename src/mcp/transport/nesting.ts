const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether JSON text has more levels of arrays and objects than allowed; for text that is not parsed yet. */
export function isNestedDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isInString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (OPENING.has(code) && ++depth > maxDepth) return true;
    else if (CLOSING.has(code)) depth--;
  }
  return false;
}
