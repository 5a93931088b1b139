import { filledEngines, sectionPlace } from '../../../../src/cli/reports/engine-places.js';
import { parseConfig } from '../../../../src/config/config.js';

describe('the place of an index', () => {
  it('is the index file by default, and no engine receives a copy', () => {
    const config = parseConfig({ PITH_INDEX: 'a.sqlite' });
    expect(sectionPlace(config)).toBe('a.sqlite');
    expect(filledEngines(config)).toEqual([]);
  });

  it('is shown without the credentials in its address', () => {
    const config = parseConfig({
      PITH_SECTION_ENGINE: 'qdrant',
      PITH_QDRANT_URL: 'https://somebody:secret@qdrant.example:6333/path',
      PITH_GRAPH_ENGINE: 'neo4j',
      PITH_NEO4J_URL: 'neo4j+s://somebody:secret@graph.example',
    });
    expect(sectionPlace(config)).toBe('in Qdrant at https://qdrant.example:6333');
    expect(filledEngines(config)).toEqual([
      'Qdrant at https://qdrant.example:6333',
      'Neo4j at neo4j+s://graph.example',
    ]);
  });
});
