import type { Block, PageAnchor } from './parsed-document.js';

/** Gives labels the line of the block after them, which they belong to. @param labels  in reading order */
export function labelled(labels: readonly PageAnchor[], blocks: readonly Block[]): readonly PageAnchor[] {
  let next = 0;
  return labels.map(({ name, line }) => {
    while ((blocks[next]?.line ?? Infinity) <= line) next++;
    return { name, line: blocks[next]?.line ?? line };
  });
}
