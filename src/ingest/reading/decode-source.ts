import { isUtf8 } from 'node:buffer';
import { MalformedDocumentError } from './parsed-document.js';

const LF = 0x0a;
const SEPARATORS = /[\u2028\u2029]/g;

/** Unicode's separators of lines and paragraphs as spaces: editors count no lines by them, and patterns would. */
export const withoutSeparators = (text: string): string => text.replace(SEPARATORS, ' ');

/**
 * Decodes a file to text with LF as the only line ends and without byte order mark. Accepts only strict UTF-8, and UTF-16 with a
 * byte order mark: with a guessed encoding, quotes could differ from the file. See `decodePage` for encodings that a file names.
 * @throws MalformedDocumentError for bytes that are not text
 */
export function decodeSource(bytes: Uint8Array): string {
  const text = decode(bytes);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new MalformedDocumentError(countLines(text.slice(0, nul)), 'binary');
  return text;
}

/** Windows' characters for the bytes from 0x80 to 0x9f, which are control characters in Latin-1. */
const WINDOWS_CHARACTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Text with Windows' characters in place of the control characters that Node 20 gives for them, also as Windows-1252. */
export const withWindowsCharacters = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (control) => WINDOWS_CHARACTERS.charAt(control.charCodeAt(0) - 0x80));

/** Decodes text of an encoding that it names. @throws for an unknown encoding; if strict, for bytes that it does not have */
export const decodeAs = (encoding: string, bytes: Uint8Array, isStrict = false): string =>
  withWindowsCharacters(new TextDecoder(encoding, { fatal: isStrict }).decode(bytes));

/** Decodes a document as `decodeSource` does, or else as Latin-1, in which older documents of its format are. */
export function decodeOlder(bytes: Uint8Array): string {
  try {
    return decodeSource(bytes);
  } catch (error) {
    if (!(error instanceof MalformedDocumentError)) throw error;
    return normalizeLineEnds(decodeAs('latin1', bytes));
  }
}

/** The encoding that a byte order mark tells. */
function markedEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, with U+FFFD for bytes that it does not have. */
export const decodeLoosely = (bytes: Uint8Array): string =>
  new TextDecoder(markedEncoding(bytes) ?? 'utf-8').decode(bytes);

const XML_ENCODING = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i;
const HTML_ENCODING = /<meta\s[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;
/** The start of a page, in which it may name its encoding. */
const START_BYTES = 4_096;

/** The encoding that a page of HTML or XHTML names. */
export function namedEncoding(bytes: Uint8Array): string | undefined {
  const start = decodeLoosely(bytes.subarray(0, START_BYTES));
  return (XML_ENCODING.exec(start) ?? HTML_ENCODING.exec(start))?.[1];
}

/** Decodes XML: UTF-16 with a byte order mark, or the encoding that it names, or UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const text = decodeLoosely(bytes);
  const named = markedEncoding(bytes) ? undefined : XML_ENCODING.exec(text)?.[1];
  if (named === undefined || /^(?:utf|unicode|ucs|iso-10646)/i.test(named)) return text;
  try {
    return decodeAs(named, bytes);
  } catch (error) {
    // No encoding has this name.
    if (isUtf8(bytes)) return text;
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  const nul = marked ? -1 : bytes.indexOf(0);
  if (nul >= 0)
    throw new MalformedDocumentError(countBytes(bytes.subarray(0, nul)), binaryReason(bytes, nul));
  try {
    const text = new TextDecoder(marked ?? 'utf-8', { fatal: true }).decode(bytes);
    return withoutSeparators(normalizeLineEnds(text));
  } catch (cause) {
    if (marked) throw new MalformedDocumentError(1, 'invalid UTF-16', { cause });
    throw new MalformedDocumentError(invalidLine(bytes), 'invalid UTF-8; save it as UTF-8', { cause });
  }
}

/** @param nul  the place of the first NUL, which in UTF-16 is every second byte of letters of ASCII */
const binaryReason = (bytes: Uint8Array, nul: number): string =>
  nul < 2 && bytes[nul + 1] !== 0 && bytes[nul + 2] === 0
    ? 'UTF-16 without a byte order mark; save it as UTF-8'
    : 'binary';

/** Decodes a page of HTML as `decodeSource` does, or else in the encoding that it names. @throws MalformedDocumentError */
export function decodePage(bytes: Uint8Array): string {
  const named = isUtf8(bytes) || bytes.includes(0) ? undefined : namedEncoding(bytes);
  try {
    if (named !== undefined) return withoutSeparators(normalizeLineEnds(decodeAs(named, bytes, true)));
  } catch {
    // The encoding is unknown or wrong.
  }
  return decodeSource(bytes);
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

/** Finds the first invalid line. An LF is never part of a multi-byte sequence, so lines can be checked alone. */
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

/** Decodes and encodes the line again, because a valid line may contain U+FFFD itself. */
function isValid(line: Uint8Array): boolean {
  const again = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(line));
  return again.length === line.length && again.every((byte, index) => byte === line[index]);
}
