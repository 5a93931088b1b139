import MarkdownIt, { type Token } from 'markdown-it';
import { decodeEntities } from './decode-entities.js';
import { splitAttributes } from './heading-attributes.js';
import { isBadge } from './is-badge.js';

/** Inline marks are not parsed in longer headings; these are not written by people. */
const MAX_INLINE_CHARS = 20_000;
/** The older form of `{#id}`: an element at either end, whose name is the anchor. */
const NAMED_ELEMENT =
  '<a\\s(?:[^<>]{0,200}\\s)?(?:name|id)\\s{0,9}=\\s{0,9}["\']([^\\s"\'<>]{1,500})["\'][^<>]{0,200}';
const LEADING_ANCHOR = new RegExp(`^${NAMED_ELEMENT}>`, 'i');
const TRAILING_ANCHOR = new RegExp(`${NAMED_ELEMENT}(?:/>|>\\s{0,9}</a>)$`, 'i');
// Other angle brackets are type parameters or placeholders, which people search for.
const HTML_TAG =
  /^<(?:!--|\/?(?:a|abbr|b|big|br|cite|code|del|dfn|div|em|font|i|img|ins|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|svg|tt|u|var|wbr)(?![\w-]))/i;
/** A component with attributes in quotes or braces, or its end. Without them it can be a type or a placeholder. */
const COMPONENT = /^<(?:\/[A-Z]|[A-Z][\w.]{0,60}\s[^<>]{0,500}=["'{])/;
const COMPONENT_TEXT = /\stext=(?:"([^"]{0,200})"|'([^']{0,200})')/;
const IMAGE = /<img\s[^<>]{1,4096}>/gi;
const ALT = /\salt\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/i;
const SRC = /\ssrc\s{0,9}=\s{0,9}["']([^"']*)/i;
const inline = new MarkdownIt({ html: true });

/** Parses a heading without its `#`s. @returns a title without marks, addresses and HTML tags, which may be empty */
export function readHeading(content: string): { readonly title: string; readonly anchor: string | null } {
  const { text, id } = splitAttributes(content.trim());
  const anchor = id ?? LEADING_ANCHOR.exec(text)?.[1] ?? TRAILING_ANCHOR.exec(text.slice(-1200))?.[1];
  return { title: oneLine(toPlainText(text)) || alternativeText(text), anchor: anchor ?? null };
}

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** The texts of images, which readers see in a heading without words. */
function alternativeText(html: string): string {
  const texts = Array.from(html.matchAll(IMAGE)).flatMap(([image]) => {
    const [, double, single] = ALT.exec(image) ?? [];
    return isBadge(SRC.exec(image)?.[1] ?? '') ? [] : [double ?? single ?? ''];
  });
  return oneLine(decodeEntities(texts.join(' ')));
}

/** The title of a heading in HTML. @param inner  the source between its tags */
export function htmlHeadingTitle(inner: string): string {
  const text = inner.replace(/<!--.*?-->/gs, '').replace(/<br(?=[\s/>])[^<>]*>/gi, ' ');
  return oneLine(decodeEntities(text.replace(/<[^<>]*>/g, ''))) || alternativeText(text);
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
  return token.type === 'html_inline' ? plainTag(token.content) : token.content;
}

function plainTag(tag: string): string {
  const [, double, single = ''] = COMPONENT_TEXT.exec(tag) ?? [];
  if (COMPONENT.test(tag)) return double ?? single;
  return HTML_TAG.test(tag) ? '' : tag;
}
