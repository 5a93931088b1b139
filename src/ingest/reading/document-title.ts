import type { Block, HeadingBlock } from './parsed-document.js';

/** Finds the title heading of a document: its only H1, if it is the first heading. */
export function titleHeading(blocks: readonly Block[]): HeadingBlock | null {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const [first] = headings;
  return first?.level === 1 && !headings.some((heading) => heading !== first && heading.level === 1)
    ? first
    : null;
}

/** Finds the title in the headings: the title heading, else a heading of any level at the start of the document. */
export function headingTitle(blocks: readonly Block[]): string | null {
  const [first] = blocks;
  return titleHeading(blocks)?.title ?? (first?.kind === 'heading' ? first.title : null);
}
