import { mentionedEntities } from '../../../../src/engines/neo4j/mentioned-entities.js';
import type { BuiltMention } from '../../../../src/ingest/built-index.js';

const aBuiltMention = (parts: Partial<BuiltMention> = {}): BuiltMention => ({
  entity: 'port',
  place: 'a.md',
  source: 0,
  type: 'Symbol',
  name: 'PORT',
  count: 1,
  isDefined: false,
  ...parts,
});

describe('mentionedEntities', () => {
  it('groups the mentions of each entity by place', () => {
    const rows = [aBuiltMention(), aBuiltMention({ place: 'b.md' }), aBuiltMention({ entity: 'host' })];
    const found = [...mentionedEntities(rows)];
    expect(found.map(({ key, places }) => [key, places.length])).toEqual([
      ['port', 2],
      ['host', 1],
    ]);
  });

  it("counts mentions of other documents' titles separately, since these may be hidden", () => {
    const rows = [
      aBuiltMention({ count: 2, isDefined: true }),
      aBuiltMention({ source: 1, name: '', count: 5 }),
      aBuiltMention({ source: 2, type: 'Concept', name: 'Port', isDefined: true }),
    ];
    expect([...mentionedEntities(rows)][0]?.places).toEqual([
      { place: 'a.md', weight: 8, own: 3, defines: 3, ownRows: 2, calls: ['Symbol\nPORT', 'Concept\nPort'] },
    ]);
  });

  it('counts the places that use each name of an entity', () => {
    const rows = ['a.md', 'b.md', 'c.md'].map((place, i) =>
      aBuiltMention({ place, name: i === 1 ? 'two\nlines' : 'PORT' }),
    );
    expect([...mentionedEntities(rows)][0]?.calls).toEqual([
      { type: 'Symbol', name: 'PORT', places: 2 },
      { type: 'Symbol', name: 'two\nlines', places: 1 },
    ]);
  });
});
