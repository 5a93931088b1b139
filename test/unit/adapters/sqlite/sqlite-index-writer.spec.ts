import { openDatabase } from '../../../../src/adapters/sqlite/driver.js';
import { SqliteIndexWriter } from '../../../../src/adapters/sqlite/sqlite-index-writer.js';
import type { IndexedDocument } from '../../../../src/ingest/index-writer.port.js';
import { buildIndex, testFolder } from '../../../support/build-index.js';
import type { TestFolder } from '../../../support/build-index.js';
import { NOW } from '../../../support/builders.js';
import { anIndexedDocument, presentOf, SETTINGS } from '../../../support/indexed-documents.js';
import { writeFiles } from '../../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

/** The first column of the first row. */
function valueOf(sql: string): unknown {
  const database = openDatabase(folder.file('index.sqlite'), { readOnly: true });
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
}

async function publish(documents: readonly IndexedDocument[]): Promise<void> {
  const writer = new SqliteIndexWriter(folder.file('index.sqlite'), () => NOW);
  await writer.begin(SETTINGS, false);
  await writer.stage(documents);
  await writer.publish(presentOf(documents));
  await writer.close();
}

describe('publish', () => {
  it('stores the front matter of a document as it was written, known keys or not', async () => {
    const yaml = `title: 'A "b" \\c'\nms.date: 05/01/2024\nn: 1.50\nempty:\nTags: [a, {b: [ä, 漢]}]\n`;
    writeFiles(folder.file('docs'), { 'a.md': `---\n${yaml}---\n\nText.\n` });
    await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
    expect(valueOf('SELECT front_matter FROM document')).toBe(
      '{"title":"A \\"b\\" \\\\c","ms.date":"05/01/2024","n":1.5,"empty":null,"Tags":["a",{"b":["ä","漢"]}]}',
    );
  });

  it('leaves the full text of a first publish in one segment, however large', async () => {
    const words = (page: number): string =>
      Array.from({ length: 4_000 }, (_, i) => `w${page * 4_000 + i}`).join(' ');
    const pages = Array.from({ length: 15 }, (_, page) =>
      anIndexedDocument({ path: `${page}.md`, texts: [words(page)] }),
    );
    await publish(pages);
    expect(valueOf('SELECT count(DISTINCT segid) FROM section_fts_idx')).toBe(1);
  });
});
