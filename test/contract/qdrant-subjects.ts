import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { type CorpusDeclaration, NOTHING_DECLARED } from '../../src/core/corpus-declaration.js';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { IndexWriter } from '../../src/core/ports/index-writer.port.js';
import { modelledWriter } from '../../src/engines/models/embedding/modelled-index-writer.js';
import { SqliteVectorCache } from '../../src/engines/models/embedding/sqlite-vector-cache.js';
import { mirroredWriter } from '../../src/engines/open-engines.js';
import { withModels } from '../../src/engines/open-models.js';
import { aliasOf, STAMP_ID } from '../../src/engines/qdrant/names.js';
import { QdrantConnection } from '../../src/engines/qdrant/qdrant-connection.js';
import { QdrantMirror } from '../../src/engines/qdrant/qdrant-mirror.js';
import { QdrantSectionIndex } from '../../src/engines/qdrant/qdrant-section-index.js';
import { readBuiltGraph } from '../../src/sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../../src/sqlite/index/read-built-index.js';
import { embedderNamed, NoEmbedder } from '../../src/sqlite/latent/embedder-named.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../support/build-index.js';
import { ANOTHER, presentOf, SETTINGS } from '../support/indexed-documents.js';
import { WordModel } from '../support/word-model.js';
import type { IndexWriterSubject } from './index-writer.contract.js';
import { type RecallSubject, TAUGHT } from './recall.contract.js';
import type { SectionIndexSubject } from './section-index.contract.js';
import { ageIdentity } from './sqlite-subjects.js';

/** A connection like that of a server. */
export function aConnection(url: string): QdrantConnection {
  return new QdrantConnection({ url, apiKey: '', timeoutMs: 30_000, concurrency: 16 });
}

/** The owner of the index that a test publishes. */
export interface Published {
  readonly file: string;
  readonly projectId?: string;
  readonly environment?: string;
  readonly corpus?: CorpusDeclaration;
}

/** The writer that `pith index` uses. */
export function aMirroredWriter(
  connection: QdrantConnection,
  file: string,
  embedderName: 'lsa' | 'none' = 'lsa',
): IndexWriter {
  const embedder = embedderNamed(embedderName);
  const source = { file, profile: embedder.profile, readGraph: readBuiltGraph };
  return mirroredWriter(new SqliteIndexWriter(file, embedder, Date.now), {
    withBuilt: (use) => withBuiltIndex(source, use),
    mirrors: [new QdrantMirror(connection)],
    onProgress: () => undefined,
  });
}

/** Publishes exactly these documents as the next generation, as `pith index` does. */
export async function publishTo(
  connection: QdrantConnection,
  { file, projectId, environment, corpus = NOTHING_DECLARED }: Published,
  documents: readonly IndexedDocument[],
): Promise<void> {
  const writer = aMirroredWriter(connection, file);
  const own = {
    projectId: projectId ?? SETTINGS.projectId,
    environment: environment ?? SETTINGS.environment,
  };
  try {
    const { published } = await writer.begin({ ...SETTINGS, ...own, corpus }, false);
    await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
    await writer.publish(presentOf(documents));
  } finally {
    await writer.close();
  }
}

/** A reader of an index. */
export function aReader(
  connection: QdrantConnection,
  { projectId, environment }: Pick<Published, 'projectId' | 'environment'> = {},
  embedder: 'lsa' | 'none' = 'lsa',
): QdrantSectionIndex {
  return new QdrantSectionIndex(connection, {
    projectId: projectId ?? SETTINGS.projectId,
    environment: environment ?? SETTINGS.environment,
    embedder: embedderNamed(embedder),
  });
}

/** Deletes the alias; its collections remain, so that the next index can reuse them. */
export async function removeAlias(client: QdrantClient, alias: string): Promise<void> {
  await client.updateCollectionAliases({ actions: [{ delete_alias: { alias_name: alias } }] });
}

/** Points the alias to a collection that is not an index. */
async function nameGarbage(client: QdrantClient, alias: string): Promise<void> {
  const collection_name = `${alias}_garbage`;
  await removeAlias(client, alias);
  await client.deleteCollection(collection_name);
  await client.createCollection(collection_name, { vectors: {}, sparse_vectors: { bm25: {} } });
  const actions = [{ create_alias: { alias_name: alias, collection_name } }];
  await client.updateCollectionAliases({ actions });
}

/** An index in Qdrant, filled from an index file, with a reader. */
export async function aQdrantIndex(url: string): Promise<SectionIndexSubject> {
  const folder = testFolder();
  const connection = aConnection(url);
  const client = new QdrantClient({ url, checkCompatibility: false });
  const alias = aliasOf(SETTINGS.projectId, SETTINGS.environment);
  const index = aReader(connection);
  let file = folder.file('index.sqlite');
  await removeAlias(client, alias);
  return {
    index,
    publish: (...documents) => publishTo(connection, { file }, documents),
    declare: (corpus, ...documents) => publishTo(connection, { file, corpus }, documents),
    replace: async (...documents) => {
      file = folder.file(`${randomUUID()}.sqlite`);
      await publishTo(connection, { file }, documents);
    },
    putGarbage: () => nameGarbage(client, alias),
    ageIdentity: async () => {
      const stamp = JSON.stringify({ identity: '{"points":0}', isWhole: true });
      await client.setPayload(alias, { points: [STAMP_ID], payload: { stamp }, wait: true });
    },
    openWithOtherEmbedder: () => aReader(connection, {}, 'none'),
    remove: () => removeAlias(client, alias),
    dispose: async () => {
      await index.close();
      await removeAlias(client, alias);
      folder.remove();
    },
  };
}

/** A location for an index file that is mirrored to Qdrant, with a reader there. */
export async function aQdrantPlace(url: string): Promise<IndexWriterSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const connection = aConnection(url);
  const client = new QdrantClient({ url, checkCompatibility: false });
  const forget = async (): Promise<void> => {
    for (const project of [SETTINGS.projectId, ANOTHER])
      await removeAlias(client, aliasOf(project, SETTINGS.environment));
  };
  await forget();
  return {
    openWriter: () => aMirroredWriter(connection, file),
    index: aReader(connection),
    openProject: (projectId) => aReader(connection, { projectId }),
    openOther: () => ({
      writer: aMirroredWriter(connection, file, 'none'),
      index: aReader(connection, {}, 'none'),
    }),
    ageIdentity: () => ageIdentity(file),
    dispose: async () => {
      await forget();
      folder.remove();
    },
  };
}

/** An index in Qdrant whose writer and reader use a model. */
export async function aModelledQdrant(url: string): Promise<RecallSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const connection = aConnection(url);
  const client = new QdrantClient({ url, checkCompatibility: false });
  const alias = aliasOf(SETTINGS.projectId, SETTINGS.environment);
  const model = new WordModel(TAUGHT, { weight: 2 });
  const embedder = new NoEmbedder(() => model.profile);
  const { projectId, environment } = SETTINGS;
  const inside = new QdrantSectionIndex(connection, { projectId, environment, embedder });
  const index = withModels(inside, { model, reranker: null });
  await removeAlias(client, alias);
  return {
    index,
    model,
    publish: async (...documents) => {
      const inner = new SqliteIndexWriter(file, embedder, Date.now);
      const cache = new SqliteVectorCache(`${file}.vectors`);
      const source = { file, profile: embedder.profile, readGraph: readBuiltGraph };
      const writer = mirroredWriter(modelledWriter({ inner, model, cache, onVectors: () => undefined }), {
        withBuilt: (use) => withBuiltIndex(source, use),
        mirrors: [new QdrantMirror(connection)],
        onProgress: () => undefined,
      });
      const { published } = await writer.begin(SETTINGS, false);
      await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
      await writer.publish(presentOf(documents));
      await writer.close();
    },
    dispose: async () => {
      await index.close();
      await removeAlias(client, alias);
      folder.remove();
    },
  };
}
