import { graphScopeContract } from '../../contract/graph-scope.contract.js';
import { graphStoreContract } from '../../contract/graph-store.contract.js';
import { aNeo4jGraph } from '../../contract/neo4j-subjects.js';
import { titleConceptsContract } from '../../contract/title-concepts.contract.js';
import { describeEngines } from '../../support/engine.js';
import { closeNeo4j } from '../../support/mirrored-graph.js';

// Mirroring a corpus takes one or two seconds.
jest.setTimeout(300_000);

describeEngines(['neo4j'], 'Neo4j', () => {
  afterAll(closeNeo4j);

  for (const contract of [graphStoreContract, titleConceptsContract])
    contract('Neo4jGraphStore', aNeo4jGraph);

  graphScopeContract(
    'Neo4jGraphStore',
    async (documents, use) => {
      const subject = await aNeo4jGraph();
      try {
        await subject.publish(...documents);
        return await use(subject.graph);
      } finally {
        await subject.dispose();
      }
    },
    40,
  );
});
