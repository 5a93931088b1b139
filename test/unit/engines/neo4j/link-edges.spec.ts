import { linkEdges } from '../../../../src/engines/neo4j/graph-plan.js';
import type { BuiltLink } from '../../../../src/ingest/built-index.js';

const aBuiltLink = (parts: Partial<BuiltLink> = {}): BuiltLink => ({
  place: 'a.md#one',
  document: 'a.md',
  relation: 'REFERENCES',
  targetDocument: 'b.md',
  targetPlace: null,
  ...parts,
});

const edgesOf = (links: readonly BuiltLink[]): string[] =>
  [...linkEdges(links)].map(
    ({ from, relation, to, facts }) => `${from.id} ${relation} ${to.id} ${String(facts['weight'])}`,
  );

describe('linkEdges', () => {
  it('connects a section to the target page, and page to page', () => {
    expect(edgesOf([aBuiltLink()])).toEqual([
      'a.md#one REFERENCES b.md#_document 1',
      'a.md#_document REFERENCES b.md#_document 1',
    ]);
  });

  it('connects to the target heading if it exists', () => {
    expect(edgesOf([aBuiltLink({ targetPlace: 'b.md#two' })])[0]).toBe('a.md#one REFERENCES b.md#two 1');
  });

  it('merges all links with the same relation', () => {
    expect(edgesOf([aBuiltLink(), aBuiltLink(), aBuiltLink({ relation: 'RELATED_TO' })])).toEqual([
      'a.md#one REFERENCES b.md#_document 2',
      'a.md#_document REFERENCES b.md#_document 2',
      'a.md#one RELATED_TO b.md#_document 1',
      'a.md#_document RELATED_TO b.md#_document 1',
    ]);
  });

  it('makes no edge from a node to itself', () => {
    expect(edgesOf([aBuiltLink({ targetDocument: 'a.md', targetPlace: 'a.md#one' })])).toEqual([]);
  });

  it('connects a section to its own page for a link without a heading', () => {
    expect(edgesOf([aBuiltLink({ targetDocument: 'a.md' })])).toEqual([
      'a.md#one REFERENCES a.md#_document 1',
    ]);
  });
});
