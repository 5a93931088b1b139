import type { ExpandOutput } from '../../../src/graph/graph.schemas.js';
import {
  renderChildren,
  renderEntities,
  renderNeighbours,
  renderNodes,
  renderParents,
  renderPaths,
  renderSections,
} from '../../../src/graph/render-graph.js';

const TOLD = { partial: false, limit_reason: 'none' } as const;
const UNKNOWN = { ...TOLD, not_found: ['x.md'], hint: 'Ask kb.search.' };
const A = { id: 'a.md', label: 'Section', title: 'A', distance: 1 } as const;
const B = { id: 'entity:port', label: 'Symbol', title: 'PORT', sections: 3 } as const;
const anExpansion = (overrides: Partial<ExpandOutput> = {}): ExpandOutput => ({
  nodes: [A],
  edges: [{ src: 's.md', type: 'REFERENCES', dst: 'a.md' }],
  next_cursor: null,
  ...TOLD,
  ...overrides,
});

describe('the text of graph replies', () => {
  it('lists nodes with the fields that an agent needs to continue: label, title, id and number of sections', () => {
    expect(renderNodes.full({ nodes: [B], ...TOLD })).toBe('Symbol: PORT (entity:port, in 3 sections)');
  });

  it('shows all requested fields of a node', () => {
    const whole = { id: 'a.md', label: 'Section', title: 'A', level: 2, tokens: 9, anchor: 'a' } as const;
    expect(renderNodes.full({ nodes: [whole], ...TOLD })).toBe(
      'Section: A (a.md), level 2, 9 tokens, anchor a',
    );
    const few = { id: 'entity:port', sections: 3 };
    expect(renderNodes.full({ nodes: [few], ...TOLD })).toBe('entity:port, in 3 sections');
  });

  it('shows snippets only if there are any', () => {
    expect(renderNodes.full({ nodes: [{ ...A, snippet: 'Text.' }], ...TOLD })).toContain('Text.');
  });

  it('numbers reached nodes with their distance, then other nodes of the edges; then lists edges and cursor', () => {
    expect(renderNeighbours.full(anExpansion({ next_cursor: 'CURSOR', partial: true })).split('\n')).toEqual([
      '[1] hop 1 Section: A (a.md)',
      '[2] s.md',
      '[2] -REFERENCES-> [1]',
      'More: cursor CURSOR',
    ]);
  });

  it('shows all edges from one node to another in one line', () => {
    const edges: ExpandOutput['edges'] = [
      { src: 's.md', type: 'MENTIONS', dst: 'a.md' },
      { src: 'a.md', type: 'REFERENCES', dst: 's.md' },
      { src: 's.md', type: 'DEFINES', dst: 'a.md' },
    ];
    expect(renderNeighbours.full(anExpansion({ edges })).split('\n').slice(2)).toEqual([
      '[2] -MENTIONS,DEFINES-> [1]',
      '[1] -REFERENCES-> [2]',
    ]);
  });

  it('shows a path as nodes with the relations between them', () => {
    const types: ['MENTIONS', 'DEFINES'] = ['MENTIONS', 'DEFINES'];
    expect(
      renderPaths.full({ paths: [{ nodes: ['a', 'b', 'c'], types, length: 2 }], next_cursor: null, ...TOLD }),
    ).toBe('a - MENTIONS b - DEFINES c');
  });

  it('shows the ancestors of a section, nearest first', () => {
    const ancestors = [
      { id: 'a.md#up', title: 'Up' },
      { id: 'a.md#_document', title: 'A' },
    ];
    const result = { section_id: 'a.md#up/x', parent_id: 'a.md#up', parent_title: 'Up', ancestors };
    expect(renderParents.full({ results: [result], ...TOLD })).toBe(
      'a.md#up/x < Up (a.md#up) < A (a.md#_document)',
    );
  });

  it('shows the entities of a section, and the sections of an entity', () => {
    const entity = { id: B.id, label: B.label, name: B.title, mentions: 2, sections: 3 };
    expect(renderEntities.full({ results: [{ section_id: 'a.md', entities: [entity] }], ...TOLD })).toMatch(
      /^a\.md\n.*Symbol: PORT \(entity:port\).*2.*3/,
    );
    const section = { section_id: 'a.md', title: 'A', mentions: 2 };
    expect(
      renderSections.full({
        results: [{ entity_id: B.id, name: B.title, total: 3, sections: [section] }],
        ...TOLD,
      }),
    ).toMatch(/^PORT \(entity:port\).*3.*\n.*A \(a\.md\).*2/);
  });

  it.each([
    ['nodes', renderNodes.full({ nodes: [], ...UNKNOWN })],
    ['neighbours', renderNeighbours.full(anExpansion({ nodes: [], edges: [], ...UNKNOWN }))],
    ['paths', renderPaths.full({ paths: [], next_cursor: null, ...UNKNOWN })],
    ['parents', renderParents.full({ results: [], ...UNKNOWN })],
    ['children', renderChildren.full({ children: [], next_cursor: null, ...UNKNOWN })],
    ['entities', renderEntities.full({ results: [], ...UNKNOWN })],
    ['sections', renderSections.full({ results: [], ...UNKNOWN })],
  ])('reports that there are no %s, the unknown id, and the next step', (_, text) => {
    expect(text).toMatch(/^\S.*\n.*x\.md.*Ask kb\.search\./);
  });

  it.each([
    [renderNodes.summary({ nodes: [A, B], ...TOLD }), '2 nodes.'],
    [renderNeighbours.summary(anExpansion({ partial: true })), '1 nodes, 1 edges, more available.'],
    [renderPaths.summary({ paths: [], next_cursor: null, ...UNKNOWN }), '0 paths. Ask kb.search.'],
    [
      renderEntities.summary({ results: [{ section_id: 'a', entities: [] }], ...TOLD }),
      '0 entities in 1 sections.',
    ],
  ])('counts in a summary: %s', (summary, expected) => {
    expect(summary).toBe(expected);
  });
});
