import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { graphScopeContract } from './graph-scope.contract.js';
import { graphStoreContract } from './graph-store.contract.js';
import { aSqliteGraph } from './sqlite-subjects.js';
import { titleConceptsContract } from './title-concepts.contract.js';

for (const contract of [graphStoreContract, titleConceptsContract]) {
  contract('SqliteReader, graph', () =>
    aSqliteGraph((file) => makePort('graph', new SqliteReader(file, embedderNamed('lsa')))),
  );
}

graphScopeContract(
  'SqliteReader, graph',
  async (documents, use) => {
    const subject = await aSqliteGraph((file) =>
      makePort('graph', new SqliteReader(file, embedderNamed('lsa'))),
    );
    try {
      await subject.publish(...documents);
      return await use(subject.graph);
    } finally {
      await subject.dispose();
    }
  },
  40,
);
