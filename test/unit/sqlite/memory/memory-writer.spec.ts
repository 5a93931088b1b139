import { existsSync, rmSync } from 'node:fs';
import { openDatabase } from '../../../../src/sqlite/driver.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { MemoryWriter } from '../../../../src/sqlite/memory/memory-writer.js';
import { aRow } from '../../../support/memory-rows.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const file = folder.file('index.sqlite');
const CREATED_AT = '2026-01-01T00:00:00.000Z';
const NEVER = (): void => undefined;

afterEach(() => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
});
afterAll(() => folder.remove());

const aWriter = (): MemoryWriter => new MemoryWriter(file, embedderNamed('lsa'));

async function bring(): Promise<void> {
  const writer = aWriter();
  await writer.begin('test');
  await writer.put([aRow()]);
  await writer.finish({ removeMissing: false, createdAt: CREATED_AT }, NEVER);
}

function tablesOf(): string[] {
  const database = openDatabase(file);
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  database.close();
  return rows.map(({ name }) => String(name));
}

describe('MemoryWriter', () => {
  it('creates the tables of memory and no others', async () => {
    await bring();
    expect(tablesOf()).toEqual([
      'memory_kg_entities',
      'memory_kg_observations',
      'memory_meta',
      'memory_space',
      'memory_thoughts',
    ]);
  });

  it('does not change the file of another program, even if its tables have the same names', async () => {
    const database = openDatabase(file);
    database.exec('CREATE TABLE memory_meta (key TEXT PRIMARY KEY, value TEXT)');
    database.close();
    await expect(bring()).rejects.toMatchObject({ reason: 'index_incompatible' });
    expect(tablesOf()).toEqual(['memory_meta']);
  });

  it('creates no file for an empty import', async () => {
    const writer = aWriter();
    await writer.begin('test');
    const report = await writer.finish({ removeMissing: true, createdAt: CREATED_AT }, NEVER);
    expect(report).toEqual({ added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0 });
    expect(existsSync(file)).toBe(false);
  });

  it('reports the reason if a file cannot be created', async () => {
    const writer = new MemoryWriter('/dev/null/index.sqlite', embedderNamed('lsa'));
    await writer.begin('test');
    await writer.put([aRow()]);
    const finished = writer.finish({ removeMissing: false, createdAt: CREATED_AT }, NEVER);
    await expect(finished).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE', reason: 'index_read_only' });
    await writer.close();
  });
});
