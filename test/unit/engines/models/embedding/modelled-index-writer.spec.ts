import type { IndexedDocument } from '../../../../../src/core/indexed-document.js';
import { modelledWriter } from '../../../../../src/engines/models/embedding/modelled-index-writer.js';
import { SqliteVectorCache } from '../../../../../src/engines/models/embedding/sqlite-vector-cache.js';
import { NoEmbedder } from '../../../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../../../../src/sqlite/writing/sqlite-index-writer.js';
import { type TestFolder, testFolder } from '../../../../support/build-index.js';
import { anIndexedDocument, presentOf, SETTINGS } from '../../../../support/indexed-documents.js';
import { WordModel } from '../../../../support/word-model.js';

const PAGES = [
  anIndexedDocument({ path: 'a.md', texts: ['One text.', 'Another text.'] }),
  anIndexedDocument({ path: 'b.md', texts: ['A third text.'] }),
];
/** The text that is embedded before the first file, to check the model. */
const PROBE = 1;

describe('modelledWriter', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = testFolder();
  });
  afterEach(() => folder.remove());

  const file = (): string => folder.file('index.sqlite');

  async function run(
    model: WordModel,
    documents: readonly IndexedDocument[],
    rebuild = false,
  ): Promise<number[]> {
    const counts: number[] = [];
    const inner = new SqliteIndexWriter(file(), new NoEmbedder(() => model.profile), Date.now);
    const cache = new SqliteVectorCache(`${file()}.vectors`);
    const onVectors = (requested: number, cached: number): void =>
      void counts.splice(0, 2, requested, cached);
    const writer = modelledWriter({ inner, model, cache, onVectors });
    try {
      const { published } = await writer.begin(SETTINGS, rebuild);
      await writer.stage(documents.filter(({ facts, hash }) => published.get(facts.path) !== hash));
      await writer.publish(presentOf(documents));
      return counts;
    } finally {
      await writer.close();
    }
  }

  it('requests each text once, with its headings', async () => {
    const model = new WordModel();
    await run(model, [...PAGES, anIndexedDocument({ path: 'copy.md', texts: ['One text.'] })]);
    expect(model.asked.at(-1)?.texts).toEqual([
      'Page\nOne text.',
      'Page\nAnother text.',
      'Page\nA third text.',
    ]);
    expect(model.asked.every(({ role }) => role === 'section')).toBe(true);
  });

  it('requests nothing twice, not even for a rebuild', async () => {
    expect(await run(new WordModel(), PAGES)).toEqual([3, 0]);
    const model = new WordModel();
    expect(await run(model, PAGES, true)).toEqual([0, 3]);
    expect(model.textsAsked()).toBe(PROBE);
  });

  it('requests everything again for another model', async () => {
    await run(new WordModel(), PAGES);
    expect(await run(new WordModel({}, { name: 'others' }), PAGES)).toEqual([3, 0]);
    expect(await run(new WordModel({}, { name: 'others', dimensions: 8 }), PAGES)).toEqual([3, 0]);
  });

  it('fails before it reads any document if the model is down', async () => {
    const model = new WordModel();
    model.isDown = true;
    await expect(run(model, PAGES)).rejects.toMatchObject({ reason: 'embedder' });
    expect(model.isClosed).toBe(true);
  });

  it('keeps the vectors that a model returned before it failed, and the old index', async () => {
    await run(new WordModel(), PAGES);
    const many = Array.from({ length: 100 }, (_, i) =>
      anIndexedDocument({ path: `${i}.md`, texts: [`Text ${i}.`] }),
    );
    const failing = new WordModel();
    failing.failsAfter = PROBE + 64;
    await expect(run(failing, many)).rejects.toMatchObject({ reason: 'embedder' });
    const index = makePort('sections', new SqliteReader(file(), new NoEmbedder(() => failing.profile)));
    expect((await index.facts({ ...SETTINGS, docTags: null, repositories: null }, 1)).documents).toBe(2);
    await index.close();
    expect(await run(new WordModel(), many)).toEqual([36, 64]);
  });

  it('writes an index that a model with unknown dimensions can read, but another model cannot', async () => {
    await run(new WordModel(), PAGES);
    const openAs = (profile: WordModel['profile']) =>
      makePort('sections', new SqliteReader(file(), new NoEmbedder(() => profile)));
    const { profile } = new WordModel();
    await expect(openAs({ ...profile, dimensions: 0 }).stamp()).resolves.toMatchObject({
      projectId: 'project',
    });
    await expect(openAs({ ...profile, dimensions: 8 }).stamp()).rejects.toMatchObject({
      reason: 'index_incompatible',
    });
    await expect(openAs({ ...profile, name: 'x', dimensions: 0 }).stamp()).rejects.toMatchObject({
      reason: 'index_incompatible',
    });
  });
});

describe('SqliteVectorCache', () => {
  it('removes the least recently used vectors above its size limit', () => {
    const folder = testFolder();
    const open = (): SqliteVectorCache => new SqliteVectorCache(folder.file('v'), 2);
    const first = open();
    first.write(
      new Map([
        ['a', Uint8Array.of(1)],
        ['b', Uint8Array.of(2)],
      ]),
    );
    first.close();
    const second = open();
    second.read(['a']);
    second.write(new Map([['c', Uint8Array.of(3)]]));
    second.close();
    const third = open();
    expect([...third.read(['a', 'b', 'c'])]).toEqual([
      ['a', Uint8Array.of(1)],
      ['c', Uint8Array.of(3)],
    ]);
    third.close();
    folder.remove();
  });
});
