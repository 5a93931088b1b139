import type { Block, HeadingBlock } from './parsed-document.js';

/** Finds the heading that names the document: its only H1, when it is the first heading. */
export function titleHeading(blocks: readonly Block[]): HeadingBlock | null {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const [first] = headings;
  return first?.level === 1 && !headings.some((heading) => heading !== first && heading.level === 1)
    ? first
    : null;
}

/** Reads the title off the headings: the title heading, else one of any level that the document opens with. */
export function headingTitle(blocks: readonly Block[]): string | null {
  const [first] = blocks;
  return titleHeading(blocks)?.title ?? (first?.kind === 'heading' ? first.title : null);
}
