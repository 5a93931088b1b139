import MarkdownIt, { type Token } from 'markdown-it';
import { splitFrontMatter } from '../../../ingest/reading/front-matter/split-front-matter.js';
import { markdownOf } from '../../../ingest/reading/markdown/parse-blocks.js';
import { findMdx, type MdxPart } from '../../../ingest/reading/mdx/find-mdx.js';
import { renderMdx } from '../../../ingest/reading/mdx/render-mdx.js';
import { convertMyst } from '../../../ingest/reading/myst/convert-myst.js';
import { mayBeMyst } from '../../../ingest/reading/myst/read-myst.js';
import { convertRst } from '../../../ingest/reading/rst/read-rst.js';
import type { SourceLine } from '../../../ingest/reading/rst/source-line.js';
import { captionOf, formTable, type FoundTable, lineStarts, MAX_CELLS } from './form-table.js';
import { attributeIn, elementsIn, type HtmlElement, isElement, parseHtml } from './html-tree.js';

/** Attribute with the lines of a table; its private-use character is not written by hand. */
const LINES = 'data-\u{E000}';
const END = '\u{E000}';

const TABLE_TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)table(?=[\s/>])/gi;

/**
 * Adds its line to each table tag of raw HTML: as an attribute, which comes before one of the page, and as a comment
 * before the closing tag. Comments may be anywhere in a table.
 */
function markTables(html: string, firstLine: number): string {
  let line = firstLine;
  let from = 0;
  return html.replace(TABLE_TAG, (tag: string, slash: string | undefined, at: number) => {
    line += html.slice(from, at).split('\n').length - 1;
    from = at;
    if (tag.startsWith('<!--')) return tag;
    return slash === '' ? `<table ${LINES}="${line}"` : `${markedComment(line)}${tag}`;
  });
}

/** A comment before the end of a table, with its line. */
const markedComment = (line: number): string => `<!--${END}${line}-->`;

/** The line that a comment of `markTables` tells; null for other comments. */
function markedEnd(comment: string): number | null {
  return comment.startsWith(END) ? Number(comment.slice(END.length)) : null;
}

const at = (token: Token | undefined): string => token?.attrGet(LINES) ?? '0';

function renderer(dialect: Parameters<typeof markdownOf>[0]): MarkdownIt {
  // Labels of links are shown without their definitions.
  const markdown = markdownOf(dialect).enable('reference');
  // The text of an address in angle brackets stays as written.
  markdown.normalizeLinkText = (url) => url;
  markdown.core.ruler.push('lines', ({ tokens }) => {
    let line = 0;
    for (const { type, map, children } of tokens) {
      // Cells have no lines of their own, but their rows have.
      line = map?.[0] ?? line;
      if (type === 'inline') noteLines(line, children ?? []);
    }
  });
  const { rules } = markdown.renderer;
  rules.table_open = (tokens, i) => {
    const [start, end] = tokens[i]?.map ?? [0, 1];
    return `<table ${LINES}="${start}:${end - 1}">`;
  };
  rules.html_block = (tokens, i) => markTables(tokens[i]?.content ?? '', tokens[i]?.map?.[0] ?? 0);
  rules.html_inline = (tokens, i) => markTables(tokens[i]?.content ?? '', Number(at(tokens[i])));
  return markdown;
}

/** Notes the line of each tag in a paragraph. */
function noteLines(firstLine: number, children: readonly Token[]): void {
  let line = firstLine;
  for (const token of children) {
    if (token.type === 'html_inline') token.attrSet(LINES, String(line));
    line += /break$/.test(token.type) ? 1 : token.content.split('\n').length - 1;
  }
}

const withHtml = renderer({ html: true, indentedCode: true });
const withoutHtml = renderer({ html: false, indentedCode: false });

/** Renders Markdown to HTML with the lines of its tables, from 0. @param hasHtml  false if a `<` is text */
function renderTables(markdown: string, hasHtml: boolean): string {
  return (hasHtml ? withHtml : withoutHtml).render(markdown);
}

const VOID = /^(?:br|hr|img|input|wbr)$/;
/** JSX also writes numbers in braces: `rowSpan={2}`. */
const SPAN = /\s(row|col)span\s*=\s*\{?\s*["']?(\d{1,5})/gi;

/** Writes the HTML elements of an MDX page as HTML, without its components; lines as in `renderTables`. */
function mdxHtml(text: string): string {
  const pieces: string[] = [];
  let [from, line] = [0, 0];
  const skip = (to: number): string => {
    const stretch = text.slice(from, to);
    line += stretch.split('\n').length - 1;
    from = to;
    return stretch;
  };
  for (const part of findMdx(text)) {
    pieces.push(asText(skip(part.start)));
    const start = line;
    pieces.push(partHtml(part, skip(part.end), start));
  }
  pieces.push(asText(text.slice(from)));
  return pieces.join('');
}

const asText = (prose: string): string => prose.replaceAll('<', '&lt;');

function partHtml({ kind, tag }: MdxPart, source: string, line: number): string {
  if (kind === 'code') return asText(source.replaceAll('&', '&amp;').replace(/^(`+)([^`\n]*)\1$/, '$2'));
  if (!tag || !/^[a-z]/.test(tag.name)) return ' ';
  const { name, form } = tag;
  if (form === 'close') return `${name === 'table' ? markedComment(line) : ''}</${name}>`;
  const spans = Array.from(source.matchAll(SPAN), ([, of = '', count = '']) => ` ${of}span="${count}"`);
  const place = name === 'table' ? ` ${LINES}="${line}"` : '';
  const alt = name === 'img' ? ` alt="${(tag.attributes['alt'] ?? '').replaceAll('"', '&quot;')}"` : '';
  const isClosed = form === 'self' && !VOID.test(name);
  return `<${name}${place}${alt}${spans.join('')}>${isClosed ? `</${name}>` : ''}`;
}

/** How a text is written. `converted`: Markdown that ingest made of another format, in which a `<` is text. */
export type TextSyntax = 'markdown' | 'mdx' | 'rst' | 'html' | 'converted' | 'text';

type Place = Pick<FoundTable, 'syntax' | 'firstLine' | 'lastLine' | 'start' | 'end'>;

/** Finds the place of a table element. */
type Locate = (table: HtmlElement) => Place;

/** The tables of a text, in reading order; a table within a cell follows the one around it. @throws MalformedDocumentError */
export function findTables(text: string, syntax: TextSyntax): FoundTable[] {
  if (syntax === 'rst') return tablesInConverted(text, convertRst(text).lines, false);
  if (syntax === 'markdown' && mayBeMyst(text)) return tablesInConverted(text, convertMyst(text).lines, true);
  if (syntax === 'text' || !/\||<table/i.test(text)) return [];
  if (syntax === 'html') return tablesIn(text, placeInHtml);
  const { body, bodyLine } = syntax === 'converted' ? { body: text, bodyLine: 1 } : splitFrontMatter(text);
  const ofLines = linePlaces(text);
  const shifted = (line: number): number => line + bodyLine;
  if (syntax !== 'mdx') return tablesIn(renderTables(body, syntax === 'markdown'), ofLines(shifted));
  const rendered = renderMdx(body, findMdx(body));
  const source = rendered.map((line) => line.text).join('\n');
  const inMarkdown = tablesIn(
    renderTables(source, false),
    ofLines((line) => shifted(rendered[line]?.line ?? 0)),
  );
  const inTags = body.includes('<table') ? tablesIn(mdxHtml(body), ofLines(shifted)) : [];
  return [...inMarkdown, ...inTags].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** @param lines  the text as Markdown @param isMarkdown  true if it was Markdown, with front matter and HTML */
function tablesInConverted(text: string, lines: readonly SourceLine[], isMarkdown: boolean): FoundTable[] {
  const source = lines.map((line) => line.text).join('\n');
  const { body, bodyLine } = isMarkdown ? splitFrontMatter(source) : { body: source, bodyLine: 1 };
  return tablesIn(
    renderTables(body, isMarkdown),
    linePlaces(text)((line) => lines[line + bodyLine - 1]?.line ?? 1),
  );
}

/** Tables that only lay out a page are not tables of data. */
const isTable = (element: HtmlElement): boolean =>
  element.tagName === 'table' && !/^\s*(?:presentation|none)\b/i.test(attributeIn(element, 'role') ?? '');

function tablesIn(html: string, locate: Locate): FoundTable[] {
  let left = MAX_CELLS;
  return Array.from(elementsIn(parseHtml(html, locate === placeInHtml)))
    .filter(isTable)
    .map((table) => {
      const grid = formTable(table, left);
      left -= grid.columns * (grid.header.length + grid.rows.length);
      return { ...grid, ...locate(table), caption: captionOf(table) };
    })
    .filter(({ columns }) => columns > 0);
}

const placeInHtml: Locate = ({ sourceCodeLocation: found }) => ({
  syntax: 'html',
  firstLine: found?.startLine ?? 1,
  lastLine: found?.endLine ?? 1,
  start: found?.startOffset ?? 0,
  end: found?.endOffset ?? 0,
});

/** @returns a function of how lines of the body, from 0, are lines of the text, from 1 */
function linePlaces(text: string): (lineOf: (line: number) => number) => Locate {
  const starts = lineStarts(text);
  return (lineOf) => (table) => {
    const [first = 0, last] = (attributeIn(table, LINES) ?? '').split(':').map(Number);
    const firstLine = lineOf(first);
    const lastLine = lineOf(last ?? endOf(table) ?? first);
    return {
      syntax: last === undefined ? 'html' : 'markdown',
      firstLine,
      lastLine,
      start: starts[firstLine - 1] ?? 0,
      end: (starts[lastLine] ?? text.length + 1) - 1,
    };
  };
}

/** The line of the closing tag of a table of raw HTML; null if it is not closed. */
function endOf(table: HtmlElement): number | null {
  const rest = [...table.childNodes];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const line = next.nodeName === '#comment' && 'data' in next ? markedEnd(next.data) : null;
    if (line !== null) return line;
    if (isElement(next) && next.tagName !== 'table') for (const child of next.childNodes) rest.push(child);
  }
  return null;
}
