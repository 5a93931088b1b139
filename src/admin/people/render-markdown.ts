import type { Token } from 'markdown-it';
import { splitAttributes } from '../../ingest/reading/heading-attributes.js';
import { markdownOf } from '../../ingest/reading/markdown/parse-blocks.js';
import { Html } from '../views/html.js';
import {
  BREAK,
  closing,
  CODE_BLOCK,
  CODE_BLOCK_END,
  hasText,
  headingPieces,
  htmlPieces,
  linkTag,
  opening,
  TABLE,
  TABLE_END,
  type TagName,
} from './html-pieces.js';
import type { Piece } from './pieces.js';

/** Where the links and headings of a text lead. */
export interface RenderOptions {
  /** The address of a link as a page may have it; null for one that must not be followed. */
  readonly linkTo: (href: string) => string | null;
  /** The level and the id of a heading in the page; null for no id. @param level  as written, 1 to 6 */
  readonly placeHeading: (
    title: string,
    level: number,
  ) => { readonly level: number; readonly id: string | null };
}

// Texts of documents contain HTML, which `htmlPieces` reads. Nothing of them is written as it is.
const markdown = markdownOf({ html: true, indentedCode: true }).enable('reference');

/** Tokens of Markdown that are elements of a page. */
const ELEMENTS: Readonly<Record<string, TagName>> = {
  ...{ paragraph: 'p', bullet_list: 'ul', list_item: 'li', blockquote: 'blockquote', tr: 'tr', em: 'em' },
  ...{ ordered_list: 'ol', thead: 'thead', tbody: 'tbody', strong: 'strong', s: 's' },
};

/** Tokens without content of their own, or with text alone. */
const LEAVES: Readonly<Record<string, (content: string) => readonly Piece[]>> = {
  text: (content) => [content],
  text_special: (content) => [content],
  softbreak: () => ['\n'],
  hardbreak: () => [BREAK],
  hr: () => [Html.trusted('<hr />')],
  code_inline: (content) => [opening('code'), content, closing('code')],
  fence: (content) => [CODE_BLOCK, content, CODE_BLOCK_END],
  code_block: (content) => [CODE_BLOCK, content, CODE_BLOCK_END],
  // No image is loaded. Its text says what it shows.
  image: (content) => [content],
  // Of elements within a line, only the break is kept: their other half may be missing.
  html_inline: (content) => (/^<br\b/i.test(content) ? [BREAK] : []),
};

/** Writes an element when its content is known. */
type Finish = (content: readonly Piece[]) => readonly Piece[];

/** Writes the tokens of a text as pieces. */
class Writer {
  readonly pieces: Piece[] = [];
  private readonly opened: { readonly at: number; readonly finish: Finish }[] = [];

  constructor(private readonly options: RenderOptions) {}

  write(tokens: readonly Token[]): void {
    for (const [at, token] of tokens.entries()) {
      if (token.nesting > 0) this.open(token, tokens[at + 1]);
      else if (token.nesting < 0) this.close();
      else this.add(this.leaf(token));
    }
  }

  /** Text after text is one piece, so that a line break is marked like the words around it. */
  private add(added: readonly Piece[]): void {
    for (const piece of added) {
      const last = this.pieces.at(-1);
      const isOpen = this.pieces.length > (this.opened.at(-1)?.at ?? 0);
      if (typeof piece === 'string' && typeof last === 'string' && isOpen)
        this.pieces.splice(-1, 1, last + piece);
      else this.pieces.push(piece);
    }
  }

  private leaf({ type, content, children }: Token): readonly Piece[] {
    if (type === 'inline') this.write(children ?? []);
    if (type === 'html_block') return htmlPieces(content, this.options.linkTo);
    return LEAVES[type]?.(content) ?? [];
  }

  /** @param next  the token that follows, which is the content of a heading */
  private open(token: Token, next: Token | undefined): void {
    this.opened.push({ at: this.pieces.length, finish: this.finisher(token, next?.content ?? '') });
    const last = token.type === 'heading_open' ? next?.children?.at(-1) : undefined;
    if (last?.type === 'text') last.content = splitAttributes(last.content).text;
  }

  private close(): void {
    const last = this.opened.pop();
    if (last) this.pieces.push(...last.finish(this.pieces.splice(last.at)));
  }

  private finisher(token: Token, inner: string): Finish {
    const kind = token.type.replace(/_open$/, '');
    if (kind === 'heading') return this.heading(Number(token.tag.slice(1)), inner);
    if (kind === 'link') return this.link(token.attrGet('href') ?? '');
    if (kind === 'table') return (content) => [TABLE, ...content, TABLE_END];
    const cell = (content: readonly Piece[]): TagName => (kind === 'th' && hasText(content) ? 'th' : 'td');
    const isCell = kind === 'th' || kind === 'td';
    const tag = ELEMENTS[kind];
    if (!isCell && (tag === undefined || token.hidden)) return (content) => content;
    return (content) => {
      const name = tag ?? cell(content);
      return [opening(name), ...content, closing(name)];
    };
  }

  private heading(written: number, title: string): Finish {
    return (content) => {
      if (!hasText(content)) return content;
      const { level, id } = this.options.placeHeading(title, written);
      return headingPieces(level, id, content);
    };
  }

  private link(href: string): Finish {
    const address = this.options.linkTo(href);
    return (content) => {
      if (address === null) return content;
      return [linkTag(address), ...(hasText(content) ? content : [href]), closing('a')];
    };
  }
}

/** Renders Markdown: text of the document, in elements that are written here. @param env  definitions of links, of `readDefinitions` */
export function renderMarkdown(text: string, options: RenderOptions, env: object = {}): readonly Piece[] {
  const writer = new Writer(options);
  writer.write(markdown.parse(text, env));
  return writer.pieces;
}

const DEFINITION = /^ {0,3}\[[^\]\n]{1,999}\]:/m;

/** The definitions of links in the sections of a document: they often stand in the last one. */
export function readDefinitions(texts: readonly string[]): object {
  const env = {};
  for (const text of texts) if (DEFINITION.test(text)) markdown.parse(text, env);
  return env;
}
