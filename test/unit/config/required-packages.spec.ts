import { parseConfig } from '../../../src/config/config.js';
import { missingPackages } from '../../../src/config/required-packages.js';

const ENGINES = {
  PITH_SECTION_ENGINE: 'qdrant',
  PITH_GRAPH_ENGINE: 'neo4j',
  PITH_SCRATCH_ENGINE: 'redis',
  PITH_GOVERNANCE_DATABASE: 'postgres://pith:secret@127.0.0.1/pith',
};

describe('missingPackages', () => {
  it('requires nothing if no engine is configured', () => {
    expect(missingPackages(parseConfig({}), () => false)).toEqual([]);
  });

  it('requires nothing that is installed', () => {
    expect(missingPackages(parseConfig(ENGINES), () => true)).toEqual([]);
  });

  it('names the missing package of each configured engine, and the install command', () => {
    expect(missingPackages(parseConfig(ENGINES), () => false)).toEqual([
      'PITH_SECTION_ENGINE=qdrant needs @qdrant/js-client-rest. Install it: npm install @qdrant/js-client-rest',
      'PITH_GRAPH_ENGINE=neo4j needs neo4j-driver. Install it: npm install neo4j-driver',
      'PITH_SCRATCH_ENGINE=redis needs @redis/client. Install it: npm install @redis/client',
      'PITH_GOVERNANCE_DATABASE needs pg. Install it: npm install pg',
    ]);
  });

  it('names the database of everything once', () => {
    const config = parseConfig({ PITH_DATABASE: 'postgres://127.0.0.1/pith' });
    expect(missingPackages(config, () => false)).toEqual([
      'PITH_DATABASE needs pg. Install it: npm install pg',
    ]);
  });
});
