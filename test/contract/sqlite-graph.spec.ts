import { embedderNamed } from '../../src/engines/models/embedding/embedder-named.js';
import { InProcessGraphStore } from '../../src/engines/sqlite/graph/in-process-graph-store.js';
import { graphScopeContract } from './graph-scope.contract.js';
import { graphStoreContract } from './graph-store.contract.js';
import { titleConceptsContract } from './title-concepts.contract.js';
import { aSqliteGraph } from './sqlite-subjects.js';

for (const contract of [graphStoreContract, titleConceptsContract]) {
  contract('InProcessGraphStore', () =>
    aSqliteGraph((file) => new InProcessGraphStore(file, embedderNamed('lsa'))),
  );
}

graphScopeContract(
  'InProcessGraphStore',
  async (documents, use) => {
    const subject = await aSqliteGraph((file) => new InProcessGraphStore(file, embedderNamed('lsa')));
    try {
      await subject.publish(...documents);
      return await use(subject.graph);
    } finally {
      await subject.dispose();
    }
  },
  40,
);
