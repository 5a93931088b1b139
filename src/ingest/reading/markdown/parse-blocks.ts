import MarkdownIt, { type Token } from 'markdown-it';
import type { Block, BodyBlock } from '../parsed-document.js';
import { readHeading } from '../read-heading.js';

/** Deeper nesting is kept as plain lines of the enclosing list item or quotation. */
const MAX_LEVEL = 60;

/** Longer lines are plain text: the patterns of the parser overflow the stack on a tag of a megabyte. */
const MAX_MARKUP_CHARS = 65_536;

interface MarkdownDialect {
  readonly html: boolean;
  readonly indentedCode: boolean;
}

const KINDS: Readonly<Record<string, BodyBlock['kind']>> = {
  paragraph_open: 'text',
  html_block: 'text',
  blockquote_open: 'text',
  fence: 'fence',
  code_block: 'fence',
  table_open: 'table',
  list_item_open: 'item',
};

/** Splits CommonMark into top-level blocks with unchanged source lines, one per list item. @param firstLine  from 1 */
type BlockParser = (source: string, firstLine?: number) => readonly Block[];

/** Creates the parser of a dialect. Reuse it: creating one takes longer than parsing a page. */
export function blockParser(dialect: MarkdownDialect): BlockParser {
  const markdown = markdownOf(dialect);
  return (source, firstLine = 1) => {
    const lines = source.split('\n');
    const parsed: Token[] = [];
    markdown.block.parse(source, markdown, {}, parsed);
    const tokens = parsed.filter(isTopLevel);
    return tokens.flatMap((token, index) => {
      const [start, end] = token.map ?? [0, 0];
      const text = lines.slice(start, end).join('\n').trimEnd();
      return toBlock(token, tokens[index + 1], { text, line: firstLine + start });
    });
  };
}

/** Creates a parser with limits for long lines and deep nesting; it does not read link reference definitions. */
export function markdownOf({ html, indentedCode }: MarkdownDialect): MarkdownIt {
  const markdown = new MarkdownIt({ html });
  // The `reference` rule makes no tokens, so the lines of definitions would be lost.
  markdown.disable(indentedCode ? ['reference'] : ['reference', 'code']);
  markdown.block.ruler.before('table', 'limits', (state, startLine, ...[, silent]) => {
    const length = Number(state.eMarks[startLine]) - Number(state.bMarks[startLine]);
    if (silent || (state.level < MAX_LEVEL && length <= MAX_MARKUP_CHARS)) return false;
    state.line = startLine + 1;
    state.push('paragraph_open', 'p', 0).map = [startLine, state.line];
    return true;
  });
  return markdown;
}

/**
 * True for the tokens of top-level blocks. List items are one level below their list, and an inline token with the text
 * of a heading is one level below the heading.
 */
function isTopLevel(token: Token): boolean {
  if (token.type === 'list_item_open' || token.type === 'inline') return token.level === 1;
  return token.level === 0 && token.nesting >= 0;
}

function toBlock(token: Token, next: Token | undefined, { text, line }: Omit<BodyBlock, 'kind'>): Block[] {
  if (!token.map) return [];
  if (token.type === 'heading_open' && !isDefinition(token, text)) {
    const { title, anchor } = readHeading(next?.content ?? '');
    return title === '' ? [] : [{ kind: 'heading', level: Number(token.tag.slice(1)), title, anchor, line }];
  }
  const kind = token.type === 'heading_open' ? 'text' : KINDS[token.type];
  return kind === undefined || text === '' ? [] : [{ kind, text, line }];
}

/** True for definitions of links above a line: without the rule for them, the parser takes them for the text of a heading. */
const isDefinition = ({ markup }: Token, text: string): boolean =>
  /^[-=]$/.test(markup) && /^(?: {0,3}\[[^\]\n]{1,500}\]:[ \t]+\S[^\n]{0,1000}\n)+[^\n]*$/.test(text);
