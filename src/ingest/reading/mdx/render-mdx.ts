import type { MdxPart } from './find-mdx.js';
import { MdxWriter, type RenderedLine } from './mdx-writer.js';

/**
 * Writes a page without its tags, comments and module code.
 * @param parts  of `findMdx`
 */
export function renderMdx(text: string, parts: readonly MdxPart[]): readonly RenderedLine[] {
  const closed = new Set(parts.flatMap(({ tag }) => (tag?.form === 'close' ? [tag.name] : [])));
  const writer = new MdxWriter(closed);
  let from = 0;
  for (const part of parts) {
    writer.prose(text.slice(from, part.start));
    const stretch = text.slice(part.start, part.end);
    if (part.kind === 'code') writer.code(stretch);
    else writer.drop(stretch, part.tag);
    from = part.end;
  }
  writer.prose(text.slice(from));
  return writer.finish();
}
