import type { Block } from './parsed-document.js';

/** A private-use character, which converted texts contain nowhere else. */
const MARK = '\u{F8F0}';
const MARKS = new RegExp(`${MARK}(\\d+)${MARK}`, 'g');

/** Marks the page on which a block of a converted document begins. */
export const pageMark = (page: number): string => `${MARK}${page}${MARK}`;

/** The anchor of a page, as PDF viewers open it: `page=12`. */
export const pageAnchor = (page: number): string => `page=${page}`;

/** Removes the marks from blocks, which then know their pages. */
export function withPages(blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block) => {
    if (block.kind === 'heading') return block;
    const [first] = block.text.matchAll(MARKS);
    if (!first) return block;
    return { ...block, text: block.text.replace(MARKS, ''), page: Number(first[1]) };
  });
}
