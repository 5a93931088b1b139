import { openDatabase } from '../../../../src/sqlite/driver.js';
import { type DocumentTitles, readHits } from '../../../../src/sqlite/index/find-rows.js';
import { publish } from '../../../contract/sqlite-subjects.js';
import { testFolder } from '../../../support/build-index.js';
import { anIndexedDocument } from '../../../support/indexed-documents.js';

const folder = testFolder();

describe('readHits', () => {
  it('returns rows in the order of their scores, and leaves out rows without a section or a document', async () => {
    const file = folder.file('rows.sqlite');
    const pages = ['a', 'b', 'c'].map((name) =>
      anIndexedDocument({ path: `${name}.md`, title: `Page ${name}` }),
    );
    await publish(file, pages);
    const database = openDatabase(file);
    try {
      const rowOf = (path: string): number =>
        Number(database.prepare('SELECT id FROM section WHERE section_id = ?').get(path)?.['id']);
      const ranked = [rowOf('c.md'), 999, rowOf('b.md'), rowOf('a.md')].map((row, i) => ({
        row,
        score: 4 - i,
      }));
      const titles: DocumentTitles = new Map();
      const read = () => readHits(database, ranked, titles).map((hit) => [hit.documentTitle, hit.lexical]);
      expect(read()).toEqual([
        ['Page c', 4],
        ['Page b', 2],
        ['Page a', 1],
      ]);
      titles.clear();
      database.exec("DELETE FROM document WHERE path = 'b.md'");
      expect(read()).toEqual([
        ['Page c', 4],
        ['Page a', 1],
      ]);
    } finally {
      database.close();
    }
  });
});
