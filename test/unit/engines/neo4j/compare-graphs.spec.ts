import {
  compareGraphs,
  type StoredEdge,
  type StoredNode,
} from '../../../../src/engines/neo4j/compare-graphs.js';
import type { PlannedEdge, PlannedNode } from '../../../../src/engines/neo4j/graph-plan.js';

const aPlannedNode = (parts: Partial<PlannedNode> = {}): PlannedNode => ({
  labels: 'Place:Section',
  facts: { id: 'a.md#one', title: 'One', anchor: null },
  ...parts,
});
const aStoredNode = (parts: Partial<StoredNode> = {}): StoredNode => ({
  element: 'n1',
  labels: ['Section', 'Pith', 'Place'],
  facts: { id: 'a.md#one', title: 'One', no: 7, index: 'key' },
  ...parts,
});
const ENDS = {
  from: { label: 'Place', id: 'a.md#one' },
  to: { label: 'Document', id: 'b.md#_document' },
} as const;
const aPlannedEdge = (weight: number): PlannedEdge => ({
  relation: 'REFERENCES',
  ...ENDS,
  facts: { weight },
});
const aStoredEdge = (weight: number): StoredEdge => ({ element: 'r1', ...aPlannedEdge(weight) });

const NOTHING = {
  goneNodes: [],
  goneEdges: [],
  newNodes: [],
  newEdges: [],
  changedNodes: [],
  changedEdges: [],
};

describe('compareGraphs', () => {
  it('writes nothing if all items are stored, whatever their number and the order of their labels', () => {
    const planned = { nodes: [aPlannedNode()], edges: [aPlannedEdge(1)] };
    const stored = { nodes: [aStoredNode()], edges: [aStoredEdge(1)] };
    expect(compareGraphs(planned, stored)).toEqual(NOTHING);
  });

  it('adds what is not stored and removes what is not planned', () => {
    const planned = { nodes: [aPlannedNode()], edges: [aPlannedEdge(1)] };
    const stored = { nodes: [aStoredNode()], edges: [aStoredEdge(1)] };
    const none = { nodes: [], edges: [] };
    expect(compareGraphs(planned, none)).toEqual({
      ...NOTHING,
      newNodes: planned.nodes,
      newEdges: planned.edges,
    });
    expect(compareGraphs(none, stored)).toEqual({ ...NOTHING, goneNodes: ['n1'], goneEdges: ['r1'] });
  });

  it('sets only the properties that differ, and removes those that have become null', () => {
    const facts = { id: 'a.md#one', title: 'Two', level: null, calls: ['A\nb'] };
    const had = { id: 'a.md#one', title: 'One', level: 2, calls: ['A\nb'], position: 4, no: 7 };
    const planned = { nodes: [aPlannedNode({ facts: { ...facts, position: 4 } })], edges: [aPlannedEdge(2)] };
    const stored = { nodes: [aStoredNode({ facts: had })], edges: [aStoredEdge(1)] };
    expect(compareGraphs(planned, stored)).toEqual({
      ...NOTHING,
      changedNodes: [{ element: 'n1', labels: 'Place:Section', facts: { title: 'Two', level: null } }],
      changedEdges: [{ element: 'r1', facts: { weight: 2 } }],
    });
  });

  it('keeps a node whose label changes, and does not confuse kinds with the same id', () => {
    const heading = aPlannedNode({ labels: 'Place:Heading' });
    const { changedNodes } = compareGraphs(
      { nodes: [heading], edges: [] },
      { nodes: [aStoredNode()], edges: [] },
    );
    expect(changedNodes).toEqual([{ element: 'n1', labels: 'Place:Heading', facts: {} }]);
    const document = aPlannedNode({ labels: 'Document' });
    const { newNodes, goneNodes } = compareGraphs(
      { nodes: [document], edges: [] },
      { nodes: [aStoredNode()], edges: [] },
    );
    expect([newNodes, goneNodes]).toEqual([[document], ['n1']]);
  });
});
