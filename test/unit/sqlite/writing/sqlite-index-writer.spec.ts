import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { IndexedDocument } from '../../../../src/core/indexed-document.js';
import { type Database, openDatabase } from '../../../../src/sqlite/driver.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { SqliteIndexWriter } from '../../../../src/sqlite/writing/sqlite-index-writer.js';
import { latentCorpus, latentDocument } from '../../../contract/latent-corpus.js';
import { buildIndex, type TestFolder, testFolder } from '../../../support/build-index.js';
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
  return Object.values(rowsOf(sql)[0] ?? {})[0];
}

function rowsOf(sql: string, file = 'index.sqlite'): readonly Record<string, unknown>[] {
  const database = openDatabase(folder.file(file), { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

async function publish(documents: readonly IndexedDocument[], file = 'index.sqlite'): Promise<void> {
  const path = folder.file(file);
  const writer = new SqliteIndexWriter(
    path,
    embedderNamed('lsa'),
    () => NOW,
    () => 'id',
  );
  const { published } = await writer.begin(SETTINGS, false);
  await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
  await writer.publish(presentOf(documents));
  await writer.close();
}

/** A writer whose file another process replaces as soon as it is open. */
class LateWriter extends SqliteIndexWriter {
  protected override openIndex() {
    const database = super.openIndex();
    renameSync(folder.file('newer.sqlite'), folder.file('index.sqlite'));
    return database;
  }
}

/** A writer whose connection a test can ask. */
class OpenWriter extends SqliteIndexWriter {
  connection: Database | null = null;
  protected override openIndex() {
    return (this.connection = super.openIndex());
  }
}

describe('begin', () => {
  it('lets tables and sorted rows of a run grow in files beside the index, not in memory', async () => {
    const writer = new OpenWriter(folder.file('index.sqlite'), embedderNamed('lsa'), () => NOW);
    await writer.begin(SETTINGS, false);
    const valueOfPragma = (name: string) =>
      Object.values(writer.connection?.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(valueOfPragma('temp_store')).toBe(1);
    expect(valueOfPragma('temp_store_directory')).toBe(dirname(folder.file('index.sqlite')));
    await writer.close();
  });

  it('does not write a file that was replaced meanwhile', async () => {
    await publish([anIndexedDocument({ path: 'old.md' })]);
    await publish([anIndexedDocument({ path: 'new.md' })], 'newer.sqlite');
    const late = new LateWriter(folder.file('index.sqlite'), embedderNamed('lsa'), () => NOW);
    await expect(late.begin(SETTINGS, false)).rejects.toMatchObject({ reason: 'index_busy' });
    expect(rowsOf('SELECT path FROM document')).toEqual([{ path: 'new.md' }]);
  });
});

describe('publish', () => {
  it('stores the front matter of a document as written, with unknown keys', async () => {
    const yaml = `title: 'A "b" \\c'\nms.date: 05/01/2024\nn: 1.50\nempty:\nTags: [a, {b: [ä, 漢]}]\n`;
    writeFiles(folder.file('docs'), { 'a.md': `---\n${yaml}---\n\nText.\n` });
    await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
    expect(valueOf('SELECT front_matter FROM document')).toBe(
      '{"title":"A \\"b\\" \\\\c","ms.date":"05/01/2024","n":1.5,"empty":null,"Tags":["a",{"b":["ä","漢"]}]}',
    );
  });

  it('leaves the full text of a first publish in one segment, whatever its size', async () => {
    const words = (page: number): string =>
      Array.from({ length: 4_000 }, (_, i) => `w${page * 4_000 + i}`).join(' ');
    const pages = Array.from({ length: 15 }, (_, page) =>
      anIndexedDocument({ path: `${page}.md`, texts: [words(page)] }),
    );
    await publish(pages);
    expect(valueOf('SELECT count(DISTINCT segid) FROM section_fts_idx')).toBe(1);
  });

  it('gives the same bytes for the same documents', async () => {
    await publish(latentCorpus(52), 'one.sqlite');
    await publish(latentCorpus(52), 'two.sqlite');
    expect(readFileSync(folder.file('two.sqlite')).equals(readFileSync(folder.file('one.sqlite')))).toBe(
      true,
    );
  });
});

describe('a run that publishes nothing', () => {
  const begun = async (): Promise<SqliteIndexWriter> => {
    const writer = new SqliteIndexWriter(folder.file('index.sqlite'), embedderNamed('lsa'), () => NOW);
    await writer.begin(SETTINGS, false);
    return writer;
  };

  it('removes the files that it created', async () => {
    await (await begun()).close();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('keeps a file into which memory is being imported', async () => {
    const writer = await begun();
    const memory = openDatabase(folder.file('index.sqlite'));
    memory.exec('BEGIN IMMEDIATE; CREATE TABLE memory (text TEXT)');
    await writer.close();
    memory.exec('COMMIT');
    memory.close();
    expect(valueOf('SELECT count(*) FROM memory')).toBe(0);
  });
});

describe('vectors', () => {
  const VECTORS = `SELECT s.section_id, hex(v.vector) AS vector FROM section s
    LEFT JOIN section_vector v ON v.id = s.id ORDER BY 1`;
  const corpus = latentCorpus(60);
  const changed = {
    ...latentDocument(70),
    facts: { ...latentDocument(70).facts, path: 'note-9.md' },
    hash: 'new',
  };

  /** Number of sections without a vector, and of vectors without a section. */
  const strays = () =>
    rowsOf(`SELECT s.section_id, v.id FROM section s FULL JOIN section_vector v ON v.id = s.id
      WHERE s.id IS NULL OR v.id IS NULL`);

  it.each<[string, readonly IndexedDocument[]]>([
    ['nothing changed', corpus],
    ['a document is new', [...corpus, latentDocument(61)]],
    ['a document was changed', [...corpus.filter(({ facts }) => facts.path !== 'note-9.md'), changed]],
    ['a document was deleted', corpus.slice(1)],
    ['the last document was deleted', corpus.slice(0, -1)],
    ['many are new', [...corpus, ...latentCorpus(80).slice(60)]],
    ['many were deleted', corpus.slice(0, 50)],
    ['the last but one was deleted and another came', [...corpus.slice(0, -1), latentDocument(62)]],
  ])('exist for each section after %s', async (_, documents) => {
    await publish(corpus);
    await publish(documents);
    expect(strays()).toEqual([]);
    expect(valueOf('SELECT count(*) FROM embedding_space')).toBe(1);
  });

  it.each<[string, readonly IndexedDocument[]]>([
    ['below 50 documents', corpus.slice(0, 49)],
    ['of one document', corpus.slice(0, 1)],
  ])('do not exist %s', async (_, documents) => {
    await publish(corpus);
    await publish(documents);
    expect(rowsOf('SELECT id FROM section_vector')).toEqual([]);
    expect(rowsOf('SELECT fitted_sections FROM embedding_space')).toEqual([]);
  });

  it.each<[string, number, number]>([
    ['keep their space while the index grows by less than a fifth', 59, 200],
    ['keep it at a fifth', 60, 200],
    ['get a new one beyond', 61, 244],
  ])('%s', async (_, documents, fitted) => {
    await publish(latentCorpus(50));
    await publish(latentCorpus(documents));
    expect(valueOf('SELECT fitted_sections FROM embedding_space')).toBe(fitted);
  });

  it.each<[string, number, number]>([
    ['keep their space while the index shrinks by a fifth', 56, 280],
    ['get a new one beyond it', 55, 220],
  ])('%s', async (_, documents, fitted) => {
    await publish(latentCorpus(70));
    await publish(latentCorpus(documents));
    expect(valueOf('SELECT fitted_sections FROM embedding_space')).toBe(fitted);
  });

  it('have the same bytes after a new fit as after a build from scratch', async () => {
    await publish(latentCorpus(50), 'grown.sqlite');
    await publish(latentCorpus(70), 'grown.sqlite');
    await publish(latentCorpus(70), 'built.sqlite');
    expect(rowsOf(VECTORS, 'grown.sqlite')).toEqual(rowsOf(VECTORS, 'built.sqlite'));
  });
});

describe('acronyms', () => {
  const told = anIndexedDocument({
    path: 'a.md',
    texts: ['A rate limit (RL). RL (rate limit).', 'A rate limit (RL).'],
  });
  const other = anIndexedDocument({ path: 'b.md', texts: ['Time to live (TTL).'] });
  const shorts = () => rowsOf('SELECT short FROM acronym ORDER BY short').map(({ short }) => short);

  it('are stored once for each section', async () => {
    await publish([told, other]);
    expect(shorts()).toEqual(['RL', 'RL', 'TTL']);
  });

  it('are removed with their sections', async () => {
    await publish([told, other]);
    await publish([other]);
    expect(shorts()).toEqual(['TTL']);
    await publish([anIndexedDocument({ path: 'b.md', texts: ['Time.'] })]);
    expect(shorts()).toEqual([]);
  });
});
