import { htmlHeadingTitle } from '../read-heading.js';
import type { MdxPart } from './find-mdx.js';

/** Longer texts between tags are no heading. */
const MAX_HEADING_CHARS = 4000;
const MAX_HEADING_PARTS = 200;
const HEADING = /^h[1-6]$/;

/** The heading that a tag begins, as Markdown, and the position of its last tag; null without a title. */
export function headingAt(
  text: string,
  parts: readonly MdxPart[],
  at: number,
): { text: string; last: number } | null {
  const first = parts[at];
  const { name = '', form, attributes } = first?.tag ?? {};
  if (!first || form !== 'open' || !HEADING.test(name)) return null;
  const further = parts.slice(at + 1, at + 1 + MAX_HEADING_PARTS);
  const last = at + 1 + further.findIndex(({ tag }) => tag?.name === name && tag.form === 'close');
  const end = last > at ? parts[last] : undefined;
  if (!end || end.start - first.end > MAX_HEADING_CHARS) return null;
  const title = htmlHeadingTitle(text.slice(first.end, end.start)).replace(/[\\`*_[\]<>#{}]/g, '\\$&');
  const id = attributes?.['id'];
  if (title === '') return null;
  return { text: `${'#'.repeat(Number(name.slice(1)))} ${title}${id ? ` {#${id}}` : ''}`, last };
}

/** Parts that the content of a tag within a sentence can have. */
const MAX_PARTS = 3;

/** True for a tag whose content ends on its line, with more of the sentence behind it. */
export function isFollowedByText(text: string, parts: readonly MdxPart[], at: number): boolean {
  const first = parts[at];
  if (first?.tag?.form !== 'open') return false;
  const { name } = first.tag;
  const close = parts
    .slice(at + 1, at + 2 + MAX_PARTS)
    .find(({ tag }) => tag?.name === name && tag.form === 'close');
  if (!close || text.slice(first.end, close.end).includes('\n')) return false;
  return /^[ \t]*[^\s<{|]/.test(text.slice(close.end, close.end + 100));
}
