import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteIndexWriter } from '../../src/adapters/sqlite/sqlite-index-writer.js';
import { IngestService } from '../../src/ingest/ingest.service.js';
import type { IngestReport } from '../../src/ingest/ingest.service.js';
import { resolveCorpus } from '../../src/ingest/resolve-corpus.js';
import { ensureSecretFile } from '../../src/config/server-secret.js';

/** The small corpus that was written for these tests. */
export const FIXTURE_CORPUS = join(__dirname, '..', '..', 'fixtures', 'corpus');

export interface TestFolder {
  readonly path: string;
  readonly file: (name: string) => string;
  readonly remove: () => void;
}

/** A folder of its own, to be removed by the test. */
export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'pith test '));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Indexes a folder as `pith index` does, in this process. */
export async function buildIndex(folder: string, file: string, rebuild = false): Promise<IngestReport> {
  const writer = new SqliteIndexWriter(file, Date.now);
  try {
    const report = await new IngestService(writer).run(await resolveCorpus({ folder }), {
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
