import type { GraphEdge, GraphPage, ReachedNode } from '../core/ports/graph-store.port.js';
import type { Walk } from './walk-graph.js';

/** One page of what a walk reached. */
export interface PageOfWalk {
  /** Without the seeds, in the order of the walk. */
  readonly listed: readonly ReachedNode[];
  /** From or to a node of this page; the other end is a seed, or on this page or one before it. */
  readonly edges: readonly GraphEdge[];
  /** Nodes on all pages. */
  readonly total: number;
}

/** Takes a page out of a walk. */
export function pageOfWalk(
  { nodes, edges }: Pick<Walk, 'nodes' | 'edges'>,
  { offset, size }: Pick<GraphPage, 'offset' | 'size'>,
): PageOfWalk {
  const reached = nodes.filter(({ distance }) => distance > 0);
  const seeds = nodes.filter(({ distance }) => distance === 0);
  const listed = reached.slice(offset, offset + size);
  const onPage = new Set(listed.map(({ id }) => id));
  const upToPage = new Set([...seeds, ...reached.slice(0, offset + size)].map(({ id }) => id));
  return {
    listed,
    edges: edges.filter(
      ({ source, target }) =>
        (onPage.has(source) || onPage.has(target)) && upToPage.has(source) && upToPage.has(target),
    ),
    total: reached.length,
  };
}
