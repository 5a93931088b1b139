import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../src/adapters/sqlite/driver.js';
import { InProcessSectionIndex } from '../../src/adapters/sqlite/in-process-section-index.js';
import { SqliteIndexWriter } from '../../src/adapters/sqlite/sqlite-index-writer.js';
import type { IndexedDocument } from '../../src/ingest/index-writer.port.js';
import type { SectionIndex } from '../../src/kb/section-index.port.js';
import { testFolder } from '../support/build-index.js';
import { presentOf, SETTINGS } from '../support/indexed-documents.js';
import { indexWriterContract } from './index-writer.contract.js';
import type { IndexWriterSubject } from './index-writer.contract.js';
import { sectionIndexContract } from './section-index.contract.js';
import type { SectionIndexSubject } from './section-index.contract.js';

interface Built {
  readonly WorkerSectionIndex: new (file: string) => SectionIndex;
}

// The thread loads compiled JavaScript, so the class is taken from there too.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { WorkerSectionIndex } = require('../../dist/adapters/sqlite/worker-section-index.js') as Built;

async function publish(file: string, documents: readonly IndexedDocument[]): Promise<void> {
  const writer = new SqliteIndexWriter(file, Date.now);
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

async function aSqliteIndex(open: (file: string) => SectionIndex): Promise<SectionIndexSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = open(file);
  return {
    index,
    publish: (...documents) => publish(file, documents),
    replace: async (...documents) => {
      await publish(folder.file('other.sqlite'), documents);
      renameSync(folder.file('other.sqlite'), file);
    },
    putGarbage: () => writeFileSync(file, 'This is no database. '.repeat(1_000)),
    ageIdentity: () => ageIdentity(file),
    remove: () => removeIndex(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

sectionIndexContract('InProcessSectionIndex', () => aSqliteIndex((file) => new InProcessSectionIndex(file)));
sectionIndexContract('WorkerSectionIndex', () => aSqliteIndex((file) => new WorkerSectionIndex(file)));

async function aSqlitePlace(): Promise<IndexWriterSubject> {
  const folder = testFolder();
  const file = folder.file('index.sqlite');
  const index = new InProcessSectionIndex(file);
  return {
    openWriter: () => new SqliteIndexWriter(file, Date.now),
    index,
    ageIdentity: () => ageIdentity(file),
    dispose: async () => {
      await index.close();
      folder.remove();
    },
  };
}

indexWriterContract('SqliteIndexWriter', aSqlitePlace);
