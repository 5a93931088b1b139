import type { GraphNode } from '../core/ports/graph-store.port.js';

/** A node next to another one, and how often the link or mention occurs. */
export interface Linked {
  readonly node: GraphNode;
  readonly weight: number;
}

/** Orders what a node is linked with. */
type Order = (a: Linked, b: Linked) => number;

const byId = (a: Linked, b: Linked): number => (a.node.id < b.node.id ? -1 : 1);
const byDefinition =
  (defined: ReadonlySet<string>): Order =>
  (a, b) =>
    Number(defined.has(b.node.id)) - Number(defined.has(a.node.id));

/** What a section defines, then what it names often and few other sections name: term frequency over the logarithm of theirs. */
export function byTelling(defined: ReadonlySet<string>): Order {
  const first = byDefinition(defined);
  const tells = ({ node, weight }: Linked): number => weight / Math.log(1 + (node.sections ?? 1));
  return (a, b) => first(a, b) || tells(b) - tells(a) || byId(a, b);
}

/** The sections that define a thing, then those that name it most. */
export function byMentions(defined: ReadonlySet<string>): Order {
  const first = byDefinition(defined);
  return (a, b) => first(a, b) || b.weight - a.weight || byId(a, b);
}
