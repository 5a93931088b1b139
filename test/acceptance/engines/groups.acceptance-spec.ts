import { describeEngines, engineUrl } from '../../support/engine.js';
import { groupsSuite } from '../../support/groups-suite.js';
import { ownProject } from '../../support/own-project.js';

describeEngines(['qdrant', 'neo4j'], 'groups of documents in Qdrant and Neo4j', () => {
  const env = {
    PITH_SECTION_ENGINE: 'qdrant',
    PITH_QDRANT_URL: engineUrl('qdrant') ?? '',
    PITH_GRAPH_ENGINE: 'neo4j',
    PITH_NEO4J_URL: engineUrl('neo4j') ?? '',
    PITH_NEO4J_PASSWORD: process.env['NEO4J_PASSWORD'] ?? '',
    PITH_BACKEND_TIMEOUT_MS: '30000',
  };
  groupsSuite(env, ownProject('groups'));
});
