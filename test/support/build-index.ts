import { ensureSecretFile } from '../../src/config/server-secret.js';
import { ingestCorpus, type IngestReport } from '../../src/ingest/ingest-corpus.js';
import { resolveCorpus } from '../../src/ingest/manifest/resolve-corpus.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';

export { FIXTURE_CORPUS, testFolder } from './test-folder.js';
export type { TestFolder } from './test-folder.js';

/** Indexes a folder as `pith index` does, in this process. */
export async function buildIndex(folder: string, file: string, rebuild = false): Promise<IngestReport> {
  const writer = new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now);
  try {
    const report = await ingestCorpus(writer, await resolveCorpus({ folder }), {
      rebuild,
      maxFileBytes: 20_971_520,
      onProgress: () => undefined,
      onRebuild: () => undefined,
    });
    ensureSecretFile(file);
    return report;
  } finally {
    await writer.close();
  }
}
