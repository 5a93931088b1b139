import { clipText } from '../text/span.js';

const MAX_SNIPPET_CHARS = 200;

/** The start of a text, on one line. */
export function snippetOf(text: string): string {
  return clipText(text.replace(/\s+/g, ' ').trim(), MAX_SNIPPET_CHARS);
}
