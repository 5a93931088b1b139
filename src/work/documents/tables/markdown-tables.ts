import MarkdownIt, { type Token } from 'markdown-it';
import { markdownOf } from '../../../ingest/reading/markdown/parse-blocks.js';

/** Attribute with the lines of a table; its private-use character is not written by hand. */
export const LINES = 'data-\u{E000}';
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
export const markedComment = (line: number): string => `<!--${END}${line}-->`;

/** The line that a comment of `markTables` tells; null for other comments. */
export function markedEnd(comment: string): number | null {
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
export function renderTables(markdown: string, hasHtml: boolean): string {
  return (hasHtml ? withHtml : withoutHtml).render(markdown);
}
