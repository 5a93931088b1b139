import { IndexFile } from '../../../../src/sqlite/index-file.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { MemoryWriter } from '../../../../src/sqlite/memory/memory-writer.js';
import { SqliteMemoryReader } from '../../../../src/sqlite/memory/sqlite-memory-reader.js';
import { aMemoryQuery, aRow, otherRows } from '../../../support/memory-rows.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const path = folder.file('index.sqlite');
const embedder = embedderNamed('lsa');

beforeAll(async () => {
  const writer = new MemoryWriter(path, embedder);
  await writer.begin('test');
  const tagged = Array.from({ length: 20 }, (_, i) =>
    aRow({ id: `k${i}`, text: `The kestrel w${i}.`, tags: [`t${i % 3}`], isPrivate: i % 5 === 0 }),
  );
  await writer.put([...otherRows(70), ...tagged, ...otherRows(35, 'kg_entities')]);
  await writer.finish({ removeMissing: false, createdAt: '2026-01-01T00:00:00.000Z' }, () => undefined);
});

afterAll(() => folder.remove());

describe('SqliteMemoryReader', () => {
  it.each([
    ['holds all rows', { blockRows: 10, keptRows: 1_000 }],
    ['holds some of them', { blockRows: 10, keptRows: 45 }],
    ['holds none', { blockRows: 7, keptRows: 0 }],
  ])('gives the same answer if the reader %s in memory', (_, limits) => {
    const file = new IndexFile(path, embedder.profile);
    const query = aMemoryQuery('kestrel w3', { perTable: 10, includeTags: ['t0', 't2'] });
    const expected = new SqliteMemoryReader(file, embedder).candidates(query);
    const reader = new SqliteMemoryReader(file, embedder, limits);
    expect(expected.matched.thoughts).toBe(10);
    expect(reader.candidates(query)).toEqual(expected);
    expect(reader.candidates(query)).toEqual(expected);
    file.close();
  });
});
