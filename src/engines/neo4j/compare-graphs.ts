import { canonicalJson } from '../../text/canonical-json.js';
import type { Facts, GraphEnd, NodeLabels, PlannedEdge, PlannedNode } from './graph-plan.js';

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

/** The properties of a stored item that change. */
interface ChangedItem {
  readonly element: Element;
  readonly facts: Facts;
}

/** The properties by which stored items equal planned ones. */
export interface GraphDifference {
  readonly goneNodes: readonly Element[];
  readonly goneEdges: readonly Element[];
  readonly newNodes: readonly PlannedNode[];
  readonly newEdges: readonly PlannedEdge[];
  readonly changedNodes: readonly (ChangedItem & { readonly labels: NodeLabels })[];
  readonly changedEdges: readonly ChangedItem[];
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

/** The properties to set; null removes one. An engine stores no property for null. */
function changedFacts(stored: Facts, planned: Facts): Facts {
  const names = Object.keys({ ...stored, ...planned }).filter((name) => !OWN.includes(name));
  const values = names.map((name) => [name, stored[name] ?? null, planned[name] ?? null] as const);
  const changed = values.filter(([, old, now]) => canonicalJson(old) !== canonicalJson(now));
  return Object.fromEntries(changed.map(([name, , now]) => [name, now]));
}

const isEmpty = (facts: Facts): boolean => Object.keys(facts).length === 0;

/** True if a node has exactly these labels; every node also has `Pith`. */
const hasLabels = (node: StoredNode, labels: readonly string[]): boolean =>
  node.labels.length === labels.length + 1 && labels.every((label) => node.labels.includes(label));

/** Finds what has to be written so that the stored items equal the planned ones. */
export function compareGraphs(
  planned: Items<PlannedNode, PlannedEdge>,
  stored: Items<StoredNode, StoredEdge>,
): GraphDifference {
  const oldNodes = new Map([...stored.nodes].map((node) => [nodeKey(node.labels, node.facts), node]));
  const oldEdges = new Map([...stored.edges].map((edge) => [edgeKey(edge), edge]));
  const newNodes: PlannedNode[] = [];
  const newEdges: PlannedEdge[] = [];
  const changedNodes: (ChangedItem & { readonly labels: NodeLabels })[] = [];
  const changedEdges: ChangedItem[] = [];
  for (const node of planned.nodes) {
    const labels = node.labels.split(':');
    const key = nodeKey(labels, node.facts);
    const old = oldNodes.get(key);
    oldNodes.delete(key);
    if (!old) {
      newNodes.push(node);
      continue;
    }
    const facts = changedFacts(old.facts, node.facts);
    if (isEmpty(facts) && hasLabels(old, labels)) continue;
    changedNodes.push({ element: old.element, labels: node.labels, facts });
  }
  for (const edge of planned.edges) {
    const key = edgeKey(edge);
    const old = oldEdges.get(key);
    oldEdges.delete(key);
    if (!old) {
      newEdges.push(edge);
      continue;
    }
    const facts = changedFacts(old.facts, edge.facts);
    if (!isEmpty(facts)) changedEdges.push({ element: old.element, facts });
  }
  const goneNodes = [...oldNodes.values()].map(({ element }) => element);
  const goneEdges = [...oldEdges.values()].map(({ element }) => element);
  return { goneNodes, goneEdges, newNodes, newEdges, changedNodes, changedEdges };
}
