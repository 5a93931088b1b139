import { readMarkdown } from '../markdown/read-markdown.js';
import type { ParsedDocument } from '../parsed-document.js';
import { convertMyst } from './convert-myst.js';

/** A quick test: most pages have no directive. */
const MAY_HAVE_DIRECTIVES = /(?:`{3}|~{3}|:{3})\{[A-Za-z]/;

/** True for a text that may contain directives of MyST. */
export const mayBeMyst = (text: string): boolean => MAY_HAVE_DIRECTIVES.test(text);

/**
 * Reads Markdown. Directives of MyST (Sphinx) are converted: notes to their title and text, code to code, tables of contents
 * to links. @throws MalformedDocumentError
 */
export function readMyst(text: string): ParsedDocument {
  if (!mayBeMyst(text)) return readMarkdown(text);
  const { lines, links } = convertMyst(text);
  const document = readMarkdown(lines.map((own) => own.text).join('\n'));
  const inSource = <T extends { readonly line: number }>(own: T): T => ({
    ...own,
    line: lines[own.line - 1]?.line ?? 0,
  });
  return {
    ...document,
    blocks: document.blocks.map(inSource),
    anchors: document.anchors.map(inSource),
    tagLinks: links,
  };
}
