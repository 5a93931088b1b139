import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { embedderNamed } from '../../src/adapters/embedding/embedder-named.js';
import { openDatabase } from '../../src/adapters/sqlite/driver.js';
import { InProcessSectionIndex } from '../../src/adapters/sqlite/in-process-section-index.js';
import { SqliteIndexWriter } from '../../src/adapters/sqlite/sqlite-index-writer.js';
import type { IndexedDocument } from '../../src/ingest/index-writer.port.js';
import type { SectionIndex } from '../../src/kb/section-index.port.js';
import { testFolder } from '../support/build-index.js';
import { presentOf, SETTINGS } from '../support/indexed-documents.js';
import { askedWordsContract } from './asked-words.contract.js';
import { indexWriterContract } from './index-writer.contract.js';
import type { IndexWriterSubject } from './index-writer.contract.js';
import { sectionIndexContract } from './section-index.contract.js';
import type { SectionIndexSubject } from './section-index.contract.js';
import { vectorsContract } from './vectors.contract.js';

type EmbedderName = 'lsa' | 'none';

interface Built {
  readonly WorkerSectionIndex: new (file: string, embedder: EmbedderName) => SectionIndex;
}

// The thread loads compiled JavaScript, so the class is taken from there too.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { WorkerSectionIndex } = require('../../dist/adapters/sqlite/worker-section-index.js') as Built;

async function publish(file: string, documents: readonly IndexedDocument[]): Promise<void> {
  const writer = new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now);
  try {
    const { published } = await writer.begin(SETTINGS, false);
    await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
    await writer.publish(presentOf(documents));
  } finally {
    await writer.close();
  }
}

function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}

function ageIdentity(file: string): void {
  const database = openDatabase(file);
  database.exec(`UPDATE meta SET value = '{"schema":0}' WHERE key = 'identity'`);
  database.close();
}

type Open = (file: string, embedder: EmbedderName) => SectionIndex;

async function aSqliteIndex(open: Open): Promise<SectionIndexSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = open(file, 'lsa');
  return {
    index,
    publish: (...documents) => publish(file, documents),
    replace: async (...documents) => {
      await publish(folder.file('other.sqlite'), documents);
      renameSync(folder.file('other.sqlite'), file);
    },
    putGarbage: () => writeFileSync(file, 'This is no database. '.repeat(1_000)),
    ageIdentity: () => ageIdentity(file),
    openWithOtherEmbedder: () => open(file, 'none'),
    remove: () => removeIndex(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

const inProcess: Open = (file, embedder) => new InProcessSectionIndex(file, embedderNamed(embedder));
const onAThread: Open = (file, embedder) => new WorkerSectionIndex(file, embedder);

for (const contract of [sectionIndexContract, askedWordsContract, vectorsContract]) {
  contract('InProcessSectionIndex', () => aSqliteIndex(inProcess));
  contract('WorkerSectionIndex', () => aSqliteIndex(onAThread));
}

async function aSqlitePlace(): Promise<IndexWriterSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = inProcess(file, 'lsa');
  return {
    openWriter: () => new SqliteIndexWriter(file, embedderNamed('lsa'), Date.now),
    index,
    openOther: () => ({
      writer: new SqliteIndexWriter(file, embedderNamed('none'), Date.now),
      index: inProcess(file, 'none'),
    }),
    ageIdentity: () => ageIdentity(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

indexWriterContract('SqliteIndexWriter', aSqlitePlace);
