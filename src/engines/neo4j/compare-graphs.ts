import { canonicalJson } from '../../text/canonical-json.js';
import type { Facts, GraphEnd, PlannedEdge, PlannedNode } from './graph-plan.js';

/** Neo4j's name of a stored node or relation. */
type Element = string;

/** A stored node. */
export interface StoredNode {
  readonly element: Element;
  readonly labels: readonly string[];
  readonly facts: PlannedNode['facts'];
}

/** A stored relation. */
export interface StoredEdge extends Omit<PlannedEdge, 'relation'> {
  readonly element: Element;
  readonly relation: string;
}

/** Nodes and the relations that start at them. */
export interface Items<Node, Edge> {
  readonly nodes: Iterable<Node>;
  readonly edges: Iterable<Edge>;
}

/** What makes stored items equal to planned ones. */
export interface GraphDifference {
  readonly goneNodes: readonly Element[];
  readonly goneEdges: readonly Element[];
  readonly newNodes: readonly PlannedNode[];
  readonly newEdges: readonly PlannedEdge[];
  readonly changedNodes: readonly (PlannedNode & { readonly element: Element })[];
  readonly changedEdges: readonly { readonly element: Element; readonly facts: Facts }[];
}

/** The kind of a node is a label, too. */
const KINDS: readonly string[] = ['Document', 'Place', 'Step', 'Entity'];
/** These exist only in the engine. */
const OWN = ['no', 'index'];

const endKey = ({ label, id }: GraphEnd): string => JSON.stringify([label, id]);
const edgeKey = ({ relation, from, to }: Pick<StoredEdge, 'relation' | 'from' | 'to'>): string =>
  `${relation} ${endKey(from)} ${endKey(to)}`;
const nodeKey = (labels: readonly string[], { id }: PlannedNode['facts']): string =>
  JSON.stringify([labels.find((label) => KINDS.includes(label)), id]);

/** The content of an item, as text. An engine stores no property for null. */
function contentText(facts: Facts, labels: readonly string[] = []): string {
  const stored = Object.entries(facts).filter(([name, value]) => value !== null && !OWN.includes(name));
  const own = labels.filter((label) => label !== 'Pith').toSorted();
  return canonicalJson([own, Object.fromEntries(stored)]);
}

/** Finds what has to be written so that the stored items equal the planned ones. */
export function compareGraphs(
  planned: Items<PlannedNode, PlannedEdge>,
  stored: Items<StoredNode, StoredEdge>,
): GraphDifference {
  const oldNodes = new Map([...stored.nodes].map((node) => [nodeKey(node.labels, node.facts), node]));
  const oldEdges = new Map([...stored.edges].map((edge) => [edgeKey(edge), edge]));
  const newNodes: PlannedNode[] = [];
  const newEdges: PlannedEdge[] = [];
  const changedNodes: (PlannedNode & { readonly element: Element })[] = [];
  const changedEdges: { readonly element: Element; readonly facts: Facts }[] = [];
  for (const node of planned.nodes) {
    const labels = node.labels.split(':');
    const key = nodeKey(labels, node.facts);
    const old = oldNodes.get(key);
    oldNodes.delete(key);
    if (!old) newNodes.push(node);
    else if (contentText(old.facts, old.labels) !== contentText(node.facts, labels))
      changedNodes.push({ ...node, element: old.element });
  }
  for (const edge of planned.edges) {
    const key = edgeKey(edge);
    const old = oldEdges.get(key);
    oldEdges.delete(key);
    if (!old) newEdges.push(edge);
    else if (contentText(old.facts) !== contentText(edge.facts))
      changedEdges.push({ element: old.element, facts: edge.facts });
  }
  const goneNodes = [...oldNodes.values()].map(({ element }) => element);
  const goneEdges = [...oldEdges.values()].map(({ element }) => element);
  return { goneNodes, goneEdges, newNodes, newEdges, changedNodes, changedEdges };
}
