import MarkdownIt, { type Token } from 'markdown-it';
import { isBadge } from './is-badge.js';

/** Inline marks are not parsed in longer headings; these are not written by people. */
const MAX_INLINE_CHARS = 20_000;
const EXPLICIT_ANCHOR = /(?:^|[ \t])\\?\{:?[ \t]{0,4}#([^\s{}\\]{1,500})(?:[ \t][^{}\n]{0,500})?\\?\}$/;
/** The older form of `{#id}`: an empty element at either end, whose name is the anchor. */
const EMPTY_ELEMENT =
  '<a\\s{1,9}(?:name|id)\\s{0,9}=\\s{0,9}["\']([^\\s"\'<>]{1,500})["\']\\s{0,9}(?:/>|>\\s{0,9}</a>)';
const LEADING_ANCHOR = new RegExp(`^${EMPTY_ELEMENT}`, 'i');
const TRAILING_ANCHOR = new RegExp(`${EMPTY_ELEMENT}$`, 'i');
// Other angle brackets are type parameters or placeholders, which people search for.
const HTML_TAG =
  /^<(?:!--|\/?(?:a|abbr|b|big|br|cite|code|del|dfn|div|em|font|i|img|ins|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|svg|tt|u|var|wbr)(?![\w-]))/i;
const inline = new MarkdownIt({ html: true });

/** Parses a heading without its `#`s. @returns a title without marks, addresses and HTML tags, which may be empty */
export function readHeading(content: string): { readonly title: string; readonly anchor: string | null } {
  const bare = content.trim();
  const explicit = EXPLICIT_ANCHOR.exec(bare.slice(-1200));
  const marked = explicit ? bare.slice(0, bare.length - explicit[0].length) : bare;
  const anchor =
    explicit?.[1] ?? LEADING_ANCHOR.exec(marked)?.[1] ?? TRAILING_ANCHOR.exec(marked.slice(-1200))?.[1];
  const title = toPlainText(marked)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return { title, anchor: anchor ?? null };
}

function toPlainText(content: string): string {
  if (content.length > MAX_INLINE_CHARS) return content;
  return inline
    .parseInline(content, {})
    .map((token) => plainTokens(token.children))
    .join('');
}

function plainTokens(tokens: readonly Token[] | null): string {
  return (tokens ?? []).map(plainToken).join('');
}

function plainToken(token: Token): string {
  if (token.type === 'softbreak' || token.type === 'hardbreak') return ' ';
  if (token.type === 'image') return isBadge(token.attrGet('src') ?? '') ? '' : plainTokens(token.children);
  if (token.type === 'html_inline') return HTML_TAG.test(token.content) ? '' : token.content;
  return token.content;
}
