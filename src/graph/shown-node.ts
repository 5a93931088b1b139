import { shownAnchor, shownTitle } from '../text/shown-fields.js';
import type { GraphNode } from '../core/ports/graph-store.port.js';

/** A node with every field as short as replies need it. */
export function shownNode(node: GraphNode): GraphNode {
  return { ...node, title: shownTitle(node.title), anchor: shownAnchor(node.anchor) };
}
