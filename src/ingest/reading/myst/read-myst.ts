import { labelled } from '../labelled.js';
import { readMarkdown } from '../markdown/read-markdown.js';
import { ANCHOR_NAME, MAX_ANCHORS, type ParsedDocument } from '../parsed-document.js';
import { convertMyst } from './convert-myst.js';
import { blankFirstComments, hasMystMarks } from './first-comments.js';
import { stripMyst } from './strip-myst.js';

/** A quick test: most pages have no directive. */
const MAY_HAVE_DIRECTIVES = /(?:`{3}|~{3}|:{3})[ \t]*\{[A-Za-z]/;

/** True for a text that may contain directives of MyST. */
export const mayBeMyst = (text: string): boolean => MAY_HAVE_DIRECTIVES.test(text);

/**
 * Reads Markdown. Directives of MyST (Sphinx) are converted: notes to their title and text, code to code, tables of contents
 * to links. Labels are anchors, and roles are written as in reStructuredText. @throws MalformedDocumentError
 */
export function readMyst(source: string): ParsedDocument {
  const text = source.startsWith('%') && hasMystMarks(source) ? blankFirstComments(source) : source;
  const document = mayBeMyst(text) ? readDirectives(text) : readMarkdown(text);
  const stripped = document.blocks.map(stripMyst);
  const blocks = stripped.flatMap(({ block }) => (block ? [block] : []));
  const labels = stripped.flatMap((block) => block.labels).filter(({ name }) => ANCHOR_NAME.test(name));
  const anchors = [...document.anchors, ...labelled(labels, blocks)].slice(0, MAX_ANCHORS);
  return { ...document, blocks, anchors };
}

function readDirectives(text: string): ParsedDocument {
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
