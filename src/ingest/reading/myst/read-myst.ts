import { readAttributes } from '../heading-attributes.js';
import { labelled } from '../labelled.js';
import { findCode } from '../markdown/find-code.js';
import { readMarkdown } from '../markdown/read-markdown.js';
import { MARKDOWN_SPANS } from '../markdown-spans.js';
import {
  ANCHOR_NAME,
  type Block,
  MAX_ANCHORS,
  type PageAnchor,
  type ParsedDocument,
} from '../parsed-document.js';
import { References } from '../rst/inline/references.js';
import { writeRole } from '../rst/inline/roles.js';
import { convertMyst } from './convert-myst.js';
import { blankFirstComments, hasMystMarks } from './first-comments.js';

const LABEL = /^\((\w[\w .:/-]{0,100})\)=$/;
const ATTRIBUTES = /^\{[ \t]*([.#:][^{}]{0,300})\}$/;
/** A longer name is no role. */
const MAX_ROLE_CHARS = 50;
const ROLE = /\{([A-Za-z][\w:+.-]*)\}$/;

/** A block without marks of MyST, and the labels above its text. */
interface StrippedBlock {
  /** null for a block of labels only. */
  readonly block: Block | null;
  readonly labels: readonly PageAnchor[];
}

/** The name in a line with a label or with attributes, '' for attributes without an id; null for another line. */
function labelIn(line: string): string | null {
  const label = LABEL.exec(line.trimEnd())?.[1];
  const inner = ATTRIBUTES.exec(line.trimEnd())?.[1];
  return label ?? (inner === undefined ? null : readAttributes(inner));
}

/**
 * Removes marks of MyST (Sphinx) from a block of text: lines with a label or attributes above it, and roles before code, as in
 * {func}`open`.
 */
function stripMyst(block: Block): StrippedBlock {
  const isMarked =
    block.kind !== 'heading' && block.kind !== 'fence' && /\}`|\)=|^\{[ \t]*[.#:]/.test(block.text);
  if (!isMarked) return { block, labels: [] };
  const lines = block.text.split('\n');
  // Only at the start of a block, where MyST reads them.
  const first = lines.findIndex((line) => labelIn(line) === null);
  const count = first < 0 ? lines.length : first;
  const labels = lines
    .slice(0, count)
    .map((line, at) => ({ name: labelIn(line) ?? '', line: block.line + at }));
  const text = convertRoles(lines.slice(count).join('\n'));
  return { block: text.trim() === '' ? null : { ...block, text, line: block.line + count }, labels };
}

function convertRoles(text: string): string {
  const kept: string[] = [];
  const refs = new References([]);
  let from = 0;
  for (const { start, end } of findCode(text)) {
    const before = text.slice(from, start);
    const [mark = '', role] = ROLE.exec(before.slice(-MAX_ROLE_CHARS)) ?? [];
    const code = text.slice(start, end);
    const shown = role === undefined ? code : writeRole(role, codeIn(code), { refs, to: MARKDOWN_SPANS });
    kept.push(before.slice(0, before.length - mark.length), shown);
    from = end;
  }
  return kept.join('') + text.slice(from);
}

/** The text between backticks. */
function codeIn(span: string): string {
  const ticks = /^`+/.exec(span)?.[0].length ?? 0;
  return span.slice(ticks, span.length - ticks).trim();
}

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
