import { InvalidArgumentError } from '../../../core/errors.js';
import { wholeOffset } from '../../../text/clip-text.js';

/** Part of an artifact, in the form in which it is shown. */
export interface ShownContent {
  readonly content: string;
  /** The bytes that the content stands for. */
  readonly bytes: number;
}

/** Length of the longest beginning of UTF-8 that ends with a whole character. */
function wholeUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidArgumentError('These bytes are not UTF-8 text.', {
      reason: 'not_text',
      hint: 'Set format to base64. If the artifact is text, use an offset that a reply gave as next_offset.',
      cause,
    });
  }
}

/**
 * Bytes as text or base64.
 * @param isLast  true if the bytes end the artifact; others may end within a character, which is left out
 * @throws InvalidArgumentError `not_text`
 */
export function contentOf(bytes: Uint8Array, format: 'text' | 'base64', isLast: boolean): string {
  if (format === 'base64') return Buffer.from(bytes).toString('base64');
  return decoded(isLast ? bytes : bytes.subarray(0, wholeUtf8(bytes)));
}

/** The beginning of a content. @param maxChars  most characters of it */
export function clippedContent(content: string, format: 'text' | 'base64', maxChars: number): ShownContent {
  if (format === 'text') {
    const text = content.slice(0, wholeOffset(content, maxChars));
    return { content: text, bytes: Buffer.byteLength(text) };
  }
  // Four characters stand for three bytes; fewer than four can't be decoded.
  const base64 = content.slice(0, content.length <= maxChars ? content.length : Math.floor(maxChars / 4) * 4);
  return { content: base64, bytes: Buffer.byteLength(base64, 'base64') };
}
