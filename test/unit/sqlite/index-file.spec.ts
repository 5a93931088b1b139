import { type Database, openDatabase } from '../../../src/sqlite/driver.js';
import { IndexFile } from '../../../src/sqlite/index-file.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { SqliteMemoryWriter } from '../../../src/sqlite/memory/sqlite-memory-writer.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../../src/sqlite/writing/sqlite-index-writer.js';
import { damage } from '../../support/index-files.js';
import { anIndexedDocument, presentOf, SETTINGS } from '../../support/indexed-documents.js';
import { testFolder } from '../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

const embedder = embedderNamed('lsa');

async function published(name = 'index.sqlite'): Promise<string> {
  const file = folder.file(name);
  const documents = [anIndexedDocument({ path: 'a.md' })];
  const writer = new SqliteIndexWriter(file, embedder, Date.now);
  await writer.begin(SETTINGS, true);
  await writer.stage(documents);
  await writer.publish(presentOf(documents));
  await writer.close();
  return file;
}

/** True if a connection still reads an older state of the file. */
function holdsSnapshot(file: string): boolean {
  const writer = openDatabase(file);
  writer.exec('PRAGMA busy_timeout = 0');
  writer.exec('CREATE TABLE other (n); INSERT INTO other VALUES (1); DROP TABLE other');
  const row = writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  writer.close();
  return row?.['busy'] !== 0;
}

const ONE = 'SELECT path FROM document';

describe('IndexFile', () => {
  it.each([
    [
      'a long read',
      (index: IndexFile, read: (database: Database) => void) =>
        index.readSlowly(async (database) => read(database)),
    ],
    [
      'a read that fails',
      async (index: IndexFile, read: (database: Database) => void) => {
        const failing = (database: Database): never => {
          read(database);
          throw new Error('enough');
        };
        expect(() => index.readAnything(failing)).toThrow('enough');
      },
    ],
  ])('holds no snapshot after %s, even with uncollected statements', async (_, read) => {
    const file = await published();
    const index = new IndexFile(file, embedder.profile);
    const statements: unknown[] = [];
    await read(index, (database) => {
      const statement = database.prepare(ONE);
      statements.push(statement, [...statement.iterate()]);
    });
    expect(holdsSnapshot(file)).toBe(false);
    expect(statements).toHaveLength(2);
    expect(index.readAnything((database) => database.prepare(ONE).all())).toEqual([{ path: 'a.md' }]);
    index.close();
  });

  it.each(['in one read', 'in a long read'])(
    'explains a file that was damaged while it was open, %s',
    async (how) => {
      const file = await published(`damaged ${how}.sqlite`);
      const index = new IndexFile(file, embedder.profile);
      const readAll = (database: Database) => database.prepare('SELECT * FROM section').all();
      index.readAnything((database) => database.prepare(ONE).all());
      damage(file, 8_192);
      const read = async () =>
        how === 'in one read'
          ? index.readAnything(readAll)
          : index.readSlowly(async (database) => readAll(database));
      await expect(read()).rejects.toMatchObject({
        code: 'BACKEND_UNAVAILABLE',
        reason: 'index_incompatible',
      });
      index.close();
    },
  );

  it('explains the damage to writers of documents and of memory, too', async () => {
    const file = await published('damaged for writers.sqlite');
    damage(file, 8_192);
    const documents = new SqliteIndexWriter(file, embedder, Date.now);
    const memory = new SqliteMemoryWriter(file, embedder);
    // The file may hold memory, so the hint must not say to remove it.
    const hint = expect.stringContaining('Restore a backup, or move the file away');
    const damaged = { code: 'BACKEND_UNAVAILABLE', reason: 'index_incompatible', hint };
    await expect(documents.begin(SETTINGS, false)).rejects.toMatchObject(damaged);
    await expect(memory.status()).rejects.toMatchObject(damaged);
    await documents.close();
    await memory.close();
  });

  it('explains a stored value that is not JSON any more', async () => {
    const file = await published('broken value.sqlite');
    const writer = openDatabase(file);
    writer.exec(`UPDATE document SET trail = '["half'`);
    writer.close();
    const index = makePort('sections', new SqliteReader(file, embedder));
    const scope = { projectId: SETTINGS.projectId, environment: 'prod', docTags: null, repositories: null };
    await expect(index.documents(scope, 0, 10)).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      reason: 'index_incompatible',
    });
    await index.close();
  });

  // A failing disk can't be had here, so its message is thrown instead.
  it('explains a disk that fails', async () => {
    const index = new IndexFile(await published(), embedder.profile);
    const fail = () => {
      throw new Error('disk I/O error');
    };
    expect(() => index.readAnything(fail)).toThrow(
      expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason: 'sqlite' }),
    );
    index.close();
  });

  it('passes on other errors', async () => {
    const index = new IndexFile(await published(), embedder.profile);
    const fail = () => {
      throw new Error('the answer is corrupt');
    };
    expect(() => index.readAnything(fail)).toThrow('the answer is corrupt');
    index.close();
  });
});
