import { runIndex } from '../../../src/cli/running/run-index.js';
import { parseConfig } from '../../../src/config/config.js';
import { COMMAND_ENGINES } from '../../../src/engines/command-engines.js';
import { Neo4jGraphStore } from '../../../src/engines/neo4j/neo4j-graph-store.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { groupsSuite } from '../../support/groups-suite.js';
import { neo4jOptions } from '../../support/mirrored-graph.js';
import { ownProject } from '../../support/own-project.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const GRAPH = {
  PITH_GRAPH_ENGINE: 'neo4j',
  PITH_NEO4J_URL: engineUrl('neo4j') ?? '',
  PITH_NEO4J_PASSWORD: process.env['NEO4J_PASSWORD'] ?? '',
  PITH_BACKEND_TIMEOUT_MS: '30000',
};

describeEngines(['qdrant', 'neo4j'], 'groups of documents in Qdrant and Neo4j', () => {
  const sections = { PITH_SECTION_ENGINE: 'qdrant', PITH_QDRANT_URL: engineUrl('qdrant') ?? '' };
  groupsSuite({ ...sections, ...GRAPH }, ownProject('groups'));
});

describeEngines(['neo4j'], 'a graph that has not followed the sections yet', () => {
  it('answers only callers with all groups', async () => {
    const folder = testFolder();
    const project = ownProject('behind');
    writeFiles(folder.file('docs'), { 'a.md': '# Quay\n\nShips wait.\n' });
    const config = parseConfig({ ...GRAPH, PITH_INDEX: folder.file('i.sqlite'), PITH_PROJECT: project });
    await runIndex(config, { folder: folder.file('docs'), project }, { engines: COMMAND_ENGINES });
    const owner = { projectId: project, environment: 'prod' };
    const store = new Neo4jGraphStore(neo4jOptions(), owner, async () => 'of a later run');
    const scope = { ...owner, docTags: null, repositories: null };
    expect((await store.describe({ ...scope, groups: null }, ['a.md'], true)).nodes).toHaveLength(1);
    for (const groups of [[], ['hr']])
      await expect(store.describe({ ...scope, groups }, ['a.md'], true)).rejects.toMatchObject({
        reason: 'index_busy',
      });
    await store.close();
    folder.remove();
  });
});
