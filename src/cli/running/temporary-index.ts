import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { BackendsConfig } from '../../config/settings/backends.config.js';
import { IndexConfig } from '../../config/settings/index.config.js';
import { ScopeConfig } from '../../config/settings/scope.config.js';
import { NOTHING_DECLARED } from '../../core/corpus-declaration.js';
import { openIndexWriter } from '../../engines/open-models.js';
import { asIndexed, type PlainDocument } from '../eval/sets/plain-document.js';
import { showProgress } from '../progress.js';

const BATCH = 500;

/** The same settings for another index file, without mirrors and with an unrestricted scope. */
function over(config: Config, file: string): Config {
  const graph = config.backends.graph === 'none' ? 'none' : 'sqlite';
  return {
    ...config,
    index: Object.assign(new IndexConfig(), config.index, { file }),
    backends: Object.assign(new BackendsConfig(), config.backends, { sections: 'sqlite', graph }),
    scope: new ScopeConfig(),
  };
}

/** Fills an index in a temporary folder, uses it and removes it. */
export async function withTemporaryIndex<T>(
  config: Config,
  fill: (temporary: Config) => Promise<unknown>,
  use: (temporary: Config) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pith-eval-'));
  try {
    const temporary = over(config, join(folder, 'index.sqlite'));
    await fill(temporary);
    return await use(temporary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Indexes a collection of documents, each as one section. */
export async function indexPlain(config: Config, documents: readonly PlainDocument[]): Promise<void> {
  const writer = openIndexWriter(config);
  const progress = showProgress(process.stderr, { verb: 'indexing', noun: 'documents' });
  const present = new Map<string, string>();
  try {
    const own = { projectId: 'eval', environment: 'eval', root: config.index.file };
    await writer.begin({ ...own, siteUrls: [], corpus: NOTHING_DECLARED }, false);
    for (let from = 0; from < documents.length; from += BATCH) {
      progress.update({ done: from, total: documents.length });
      const batch = documents.slice(from, from + BATCH).map((document, i) => asIndexed(document, from + i));
      for (const { facts, hash } of batch) present.set(facts.path, hash);
      await writer.stage(batch);
    }
    await writer.publish(present);
  } finally {
    progress.stop();
    await writer.close();
  }
}
