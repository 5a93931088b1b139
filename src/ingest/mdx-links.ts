import { decodeEntities } from './decode-entities.js';
import { findCode } from './find-code.js';
import type { MdxPart } from './find-mdx.js';
import type { JsxTag } from './scan-jsx-tag.js';

/** A longer one, or one over several paragraphs, is a clickable box. */
const MAX_TEXT_CHARS = 2000;
const LINK = /^(?:a|Link)$/;
/** Tags that may stand in a sentence. */
const INLINE = /^(?:abbr|b|code|del|em|i|img|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|svg|u|var|wbr)$/;
/** Paragraphs, and lines that Markdown reads as more than text. */
const STRUCTURE = /\n[ \t]*(?:\n|#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s|>|\||```|~~~)/;

/**
 * Finds the elements that become links of Markdown: `a` and `Link` with a plain `href` or `to` around a piece of a sentence.
 * Links within the page stay text: generated references link each word of a signature, which nobody could read then.
 * @returns what to write for their tags, opening and closing
 */
export function linkMarks(text: string, parts: readonly MdxPart[]): ReadonlyMap<JsxTag, string> {
  const marks = new Map<JsxTag, string>();
  let open: MdxPart | null = null;
  for (const part of parts) {
    const { tag } = part;
    if (open && tag?.form === 'close' && tag.name === open.tag?.name) {
      const href = linkHref(open.tag);
      if (href !== '' && holdsText(text, open, part))
        marks.set(open.tag, '[').set(tag, `](${destination(href)})`);
      open = null;
      continue;
    }
    if (tag?.form === 'open' && LINK.test(tag.name)) open = part;
    else if (tag && !INLINE.test(tag.name)) open = null;
  }
  return marks;
}

/** Writes a link whose text is plain. */
export function markdownLink(text: string, href: string): string {
  return href === '' ? text : `[${escapeBrackets(text)}](${destination(href)})`;
}

/** Where a tag leads, if that is on another page. */
function linkHref({ name, attributes }: JsxTag): string {
  const { title, label, href, to } = attributes;
  // Its title is shown, and linked.
  if (name === 'Link' && (title ?? label ?? '').trim() !== '') return '';
  const target = (href ?? (name === 'Link' ? to : '') ?? '').trim();
  return target.startsWith('#') ? '' : target;
}

function holdsText(text: string, open: MdxPart, close: MdxPart): boolean {
  const inner = text.slice(open.end, close.start);
  if (inner.length > MAX_TEXT_CHARS || STRUCTURE.test(inner) || inner.includes('](')) return false;
  const shown = inner.replace(/<(?!img\b)[^<>]*>|\{[^{}]*\}/g, '');
  return shown.trim() !== '';
}

function destination(href: string): string {
  const plain = decodeEntities(href)
    .trim()
    .replace(/[\s<>|\\]/g, (char) => encodeURIComponent(char));
  return /[()]/.test(plain) ? `<${plain}>` : plain;
}

/** Code keeps its brackets: there a backslash would be shown. */
function escapeBrackets(text: string): string {
  let escaped = '';
  let from = 0;
  for (const { start, end } of [...findCode(text), { start: text.length, end: text.length }]) {
    escaped +=
      text.slice(from, start).replace(/[[\]]|\\(?=[!-/:-@[-`{-~]|$)/g, '\\$&') + text.slice(start, end);
    from = end;
  }
  return escaped;
}
