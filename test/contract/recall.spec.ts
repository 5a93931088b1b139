import { modelledWriter } from '../../src/engines/models/embedding/modelled-index-writer.js';
import { SqliteVectorCache } from '../../src/engines/models/embedding/sqlite-vector-cache.js';
import { withModels } from '../../src/engines/open-models.js';
import { NoEmbedder } from '../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../support/build-index.js';
import { presentOf, SETTINGS } from '../support/indexed-documents.js';
import { WordModel } from '../support/word-model.js';
import { recallContract, type RecallSubject, TAUGHT } from './recall.contract.js';

/** An index file whose writer and reader use a model. */
async function aModelledIndex(): Promise<RecallSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const model = new WordModel(TAUGHT, { weight: 2 });
  const embedder = new NoEmbedder(() => model.profile);
  const index = withModels(makePort('sections', new SqliteReader(file, embedder)), { model, reranker: null });
  return {
    index,
    model,
    publish: async (...documents) => {
      const inner = new SqliteIndexWriter(file, embedder, Date.now);
      const cache = new SqliteVectorCache(`${file}.vectors`);
      const writer = modelledWriter({ inner, model, cache, onVectors: () => undefined });
      const { published } = await writer.begin(SETTINGS, false);
      await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
      await writer.publish(presentOf(documents));
      await writer.close();
    },
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

recallContract('SQLite', aModelledIndex);
