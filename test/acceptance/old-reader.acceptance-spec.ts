import { openDatabase } from '../../src/sqlite/driver.js';
import { embedderNamed } from '../../src/sqlite/latent/embedder-named.js';
import { SqliteIndexWriter } from '../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../support/build-index.js';
import { anIndexedDocument, presentOf, SETTINGS } from '../support/indexed-documents.js';

const folder = testFolder();
afterAll(() => folder.remove());

async function publish(path: string): Promise<void> {
  const documents = [anIndexedDocument({ path })];
  const writer = new SqliteIndexWriter(folder.file('index.sqlite'), embedderNamed('lsa'), Date.now);
  await writer.begin(SETTINGS, false);
  await writer.stage(documents);
  await writer.publish(presentOf(documents));
  await writer.close();
}

describe('a reader of an old generation', () => {
  it('does not delay a publish for the whole busy timeout of writers', async () => {
    await publish('a.md');
    const reader = openDatabase(folder.file('index.sqlite'), { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM document').get();
    const startedAt = performance.now();
    await publish('b.md');
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    reader.close();
  });
});
