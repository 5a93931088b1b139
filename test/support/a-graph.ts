import type { NodeLabel, Relation } from '../../src/core/graph-model.js';
import type { GraphNode } from '../../src/core/ports/graph-store.port.js';
import { anEdge, anEntity, aNode, FakeGraph } from './graphs.js';

function aSection(id: string, title: string, level = 2): GraphNode {
  return aNode(id, { title, level, tokens: 10, anchor: 'anchor', snippet: `Text of ${id}.` });
}

function aPart(id: string, label: NodeLabel, overrides: Partial<GraphNode>): GraphNode {
  return aNode(id, { label, level: null, tokens: 0, ...overrides });
}

const NODES = [
  aPart('guide.md#_document', 'Document', { title: 'Guide' }),
  aSection('guide.md#install', 'Install'),
  aSection('guide.md#install/steps', 'Steps', 3),
  aPart('guide.md#use', 'Heading', { title: 'Use', level: 2 }),
  aPart('guide.md#install/steps/_step-1', 'Step', { title: 'Run it.' }),
  aPart('other.md#_document', 'Document', { title: 'Other', docTag: 'other' }),
  anEntity('pith', { label: 'Command' }),
  anEntity('port', { label: 'ConfigurationKey' }),
];

const EDGES: readonly (readonly [string, Relation, string])[] = [
  ['guide.md#_document', 'HAS_CHUNK', 'guide.md#install'],
  ['guide.md#_document', 'HAS_CHUNK', 'guide.md#install/steps'],
  ['guide.md#_document', 'HAS_CHUNK', 'guide.md#use'],
  ['guide.md#install', 'NEXT_CHUNK', 'guide.md#install/steps'],
  ['guide.md#_document', 'PARENT_OF', 'guide.md#install'],
  ['guide.md#_document', 'PARENT_OF', 'guide.md#use'],
  ['guide.md#install', 'PARENT_OF', 'guide.md#install/steps'],
  ['guide.md#install/steps', 'CONTAINS_STEP', 'guide.md#install/steps/_step-1'],
  ['guide.md#_document', 'REFERENCES', 'other.md#_document'],
  ['guide.md#install', 'MENTIONS', 'entity:pith'],
  ['guide.md#install/steps', 'MENTIONS', 'entity:pith'],
  ['guide.md#install/steps', 'MENTIONS', 'entity:port'],
];

/** A document with three sections that mention two entities and link to another document; respects the scope. */
export function aGraph(): FakeGraph {
  const graph = new FakeGraph(
    NODES,
    EDGES.map((edge) => anEdge(...edge)),
  );
  return Object.assign(graph, { knowsScope: true });
}

/** Everything except the document with the other tag. */
export const WITHOUT_OTHER = { docTags: ['docs'] };
