import { decodeOlder } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { htmlPage } from '../html-text.js';
import { isManMacro, ManPage } from './man-page.js';
import { MdocPage } from './mdoc-page.js';
import { RoffLines } from './roff-lines.js';
import { RoffText } from './roff-text.js';

/** Converts a manual page with the macros of the package `man` or `mdoc`. @throws MalformedDocumentError */
export function convertMan(bytes: Uint8Array): ConvertedText {
  const source = decodeOlder(bytes);
  const isMdoc = /^[.'][ \t]*D[dt]\b/m.test(source);
  const lines = new RoffLines((macro) => (isMdoc ? /^[A-Z][a-z\d]{1,2}$/.test(macro) : isManMacro(macro)));
  const text = new RoffText(lines.strings);
  const page = isMdoc ? new MdocPage(text) : new ManPage(text);
  const html = page.read(lines.read(source));
  return htmlPage(page.title, html);
}
