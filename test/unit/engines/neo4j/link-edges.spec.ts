import { linkCrowds, linkEdges } from '../../../../src/engines/neo4j/graph-plan.js';
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
  [...linkEdges(links)].map(({ from, relation, to, links: n }) => `${from.name} ${relation} ${to.name} ${n}`);

describe('linkEdges', () => {
  it('connects a section to the target page, and page to page', () => {
    expect(edgesOf([aBuiltLink()])).toEqual(['a.md#one REFERENCES b.md 1', 'a.md REFERENCES b.md 1']);
  });

  it('connects to the target heading if it exists', () => {
    expect(edgesOf([aBuiltLink({ targetPlace: 'b.md#two' })])[0]).toBe('a.md#one REFERENCES b.md#two 1');
  });

  it('merges all links with the same relation', () => {
    expect(edgesOf([aBuiltLink(), aBuiltLink(), aBuiltLink({ relation: 'RELATED_TO' })])).toEqual([
      'a.md#one REFERENCES b.md 2',
      'a.md REFERENCES b.md 2',
      'a.md#one RELATED_TO b.md 1',
      'a.md RELATED_TO b.md 1',
    ]);
  });

  it('makes no edge from a node to itself', () => {
    expect(edgesOf([aBuiltLink({ targetDocument: 'a.md', targetPlace: 'a.md#one' })])).toEqual([]);
  });

  it('connects a section to its own page for a link without a heading', () => {
    expect(edgesOf([aBuiltLink({ targetDocument: 'a.md' })])).toEqual(['a.md#one REFERENCES a.md 1']);
  });
});

describe('linkCrowds', () => {
  it('counts distinct pairs of relation and source', () => {
    const to = { targetPlace: 'b.md#two' };
    const crowds = linkCrowds([
      aBuiltLink(to),
      aBuiltLink(to),
      aBuiltLink({ ...to, place: 'a.md#three' }),
      aBuiltLink({ ...to, relation: 'RELATED_TO' }),
      aBuiltLink({ place: 'c.md', document: 'c.md' }),
    ]);
    expect([...crowds.toPlace]).toEqual([['b.md#two', 3]]);
    expect([...crowds.fromPlaces]).toEqual([['b.md', 4]]);
    expect([...crowds.fromDocuments]).toEqual([['b.md', 3]]);
  });
});
