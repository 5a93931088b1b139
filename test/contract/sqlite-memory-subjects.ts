import { rmSync, writeFileSync } from 'node:fs';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { MemoryStore } from '../../src/core/ports/memory-store.port.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { SqliteMemoryStore } from '../../src/sqlite/memory/sqlite-memory-store.js';
import { SqliteMemoryWriter } from '../../src/sqlite/memory/sqlite-memory-writer.js';
import { makePort, SqliteReader } from '../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../support/build-index.js';
import { presentOf, SETTINGS } from '../support/indexed-documents.js';
import type { MemoryStoreSubject } from './memory-store.contract.js';
import type { MemoryWriterSubject } from './memory-writer.contract.js';

const lsa = () => embedderNamed('lsa');
const CREATED_AT = '2026-01-01T00:00:00.000Z';

async function publish(file: string, documents: readonly IndexedDocument[], rebuild: boolean): Promise<void> {
  const writer = new SqliteIndexWriter(file, lsa(), Date.now);
  try {
    const { published } = await writer.begin(SETTINGS, rebuild);
    await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
    await writer.publish(presentOf(documents));
  } finally {
    await writer.close();
  }
}

function change(file: string, sql: string): void {
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
}

type Open = (file: string, provider?: string) => MemoryStore;

export const inProcessMemory: Open = (file, provider) =>
  new SqliteMemoryStore(new SqliteReader(file, lsa()), provider);

/** Memory in an index file, with a reader. */
export async function aSqliteMemory(open: Open): Promise<MemoryStoreSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const store = open(file);
  return {
    store,
    bring: async (rows, source = 'test') => {
      const writer = new SqliteMemoryWriter(file, lsa());
      await writer.begin(source);
      await writer.put(rows);
      await writer.finish({ removeMissing: false, createdAt: CREATED_AT }, () => undefined);
    },
    reembed: () => new SqliteMemoryWriter(file, lsa()).reembed(() => undefined),
    makeEmpty: () => publish(file, [], false),
    putGarbage: () => writeFileSync(file, 'This is no database. '.repeat(1_000)),
    ageSpace: () =>
      change(
        file,
        `UPDATE memory_meta SET value = 'tf-idf-0' WHERE key = 'model';
         UPDATE memory_meta SET value = value + 1 WHERE key = 'generation';
         UPDATE memory_thoughts SET model = 'tf-idf-0'`,
      ),
    ageSchema: () => change(file, "UPDATE memory_meta SET value = '99' WHERE key = 'schema_version'"),
    openWithOtherProvider: () => open(file, 'openai'),
    remove: () => {
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    },
    dispose: async () => {
      await store.close();
      folder.remove();
    },
  };
}

/** A location for an index file with memory. */
export async function aSqliteMemoryPlace(open: Open): Promise<MemoryWriterSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const store = open(file);
  const index = makePort('sections', new SqliteReader(file, lsa()));
  return {
    openWriter: () => new SqliteMemoryWriter(file, lsa()),
    store,
    index,
    publish: (documents, rebuild = false) => publish(file, documents, rebuild),
    ageIdentity: () => change(file, `UPDATE meta SET value = '{"schema":0}' WHERE key = 'identity'`),
    dispose: async () => {
      await Promise.all([store.close(), index.close()]);
      folder.remove();
    },
  };
}
