import { MalformedDocumentError } from './parsed-document.js';

const LF = 0x0a;

/**
 * Turns a file's bytes into text with LF line ends and no byte order mark.
 * Strict UTF-8, or UTF-16 where a byte order mark says so: guessing an encoding would make quotes that aren't in the file.
 * @throws MalformedDocumentError for bytes that are not text
 */
export function decodeSource(bytes: Uint8Array): string {
  const text = decode(bytes);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new MalformedDocumentError(countLines(text.slice(0, nul)), 'binary');
  return text;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const nul = bytes.indexOf(0);
  if (nul >= 0) throw new MalformedDocumentError(countBytes(bytes.subarray(0, nul)), 'binary');
  try {
    return normalizeLineEnds(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new MalformedDocumentError(invalidLine(bytes), 'invalid UTF-8', { cause });
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return normalizeLineEnds(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new MalformedDocumentError(1, 'invalid UTF-16', { cause });
  }
}

function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function countBytes(bytes: Uint8Array): number {
  return countLines(normalizeLineEnds(new TextDecoder('latin1').decode(bytes)));
}

/** An LF is never part of a longer UTF-8 sequence, so each line is valid or not on its own. */
function invalidLine(bytes: Uint8Array): number {
  let start = 0;
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(LF, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    if (!isValid(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return countBytes(bytes.subarray(0, start));
}

/** A line may hold a genuine U+FFFD; decoding and encoding again tells it from a replacement. */
function isValid(line: Uint8Array): boolean {
  const again = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(line));
  return again.length === line.length && again.every((byte, index) => byte === line[index]);
}
