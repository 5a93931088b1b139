import { truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENCODER, partFolder, type PinnedPart, RUNTIME } from '../../../src/config/installed-model.js';
import { makeFolder } from '../../../src/config/make-folder.js';
import { IndexConfig } from '../../../src/config/settings/index.config.js';
import type { SearchAnswer } from '../../../src/core/ports/section-index.port.js';
import type { TextModel } from '../../../src/core/ports/text-model.port.js';
import { checkModel } from '../../../src/engines/commands/model.command.js';
import { modelledWriter } from '../../../src/engines/models/embedding/modelled-index-writer.js';
import { SqliteVectorCache } from '../../../src/engines/models/embedding/sqlite-vector-cache.js';
import { embedderFor, openTextModel, usesModel, withModels } from '../../../src/engines/open-models.js';
import { hasModelVectors } from '../../../src/sqlite/index-file.js';
import { embedderOfChoice } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { SqliteIndexWriter } from '../../../src/sqlite/writing/sqlite-index-writer.js';
import { testFolder } from '../../support/build-index.js';
import { anIndexedDocument, aQuery, idsOf, presentOf, SETTINGS } from '../../support/indexed-documents.js';
import { modelsConfig } from '../../support/models-config.js';
import { WordModel } from '../../support/word-model.js';

const folder = testFolder();
afterAll(() => folder.remove());

/** Settings with files of the right size, as an installation has them. */
function installed(name: string, ...parts: readonly PinnedPart[]) {
  const config = modelsConfig({ modelFolder: folder.file(name) });
  for (const part of parts)
    for (const file of part.files) {
      const path = join(partFolder(config.models, part), file.name);
      makeFolder(dirname(path));
      writeFileSync(path, '');
      truncateSync(path, file.bytes);
    }
  return config;
}

const complete = installed('complete', ENCODER, RUNTIME);
const nothing = installed('nothing');

/** Reads "vessel" as "ship", which no text of the documents contains. */
const encoder = () => new WordModel({ vessel: 'ship' }, { name: ENCODER.folder, dimensions: 384, weight: 1 });

const DOCUMENTS = [
  anIndexedDocument({ path: 'ship.md', texts: ['A ship lies there.'] }),
  anIndexedDocument({ path: 'engine.md', texts: ['The engine needs oil.'] }),
];

/** Publishes an index as `pith index` does without a model, or with one. */
async function publish(file: string, model: TextModel | null): Promise<void> {
  const inner = new SqliteIndexWriter(file, embedderFor(model ? complete : nothing, model), Date.now);
  const cache = new SqliteVectorCache(`${file}.vectors`);
  const writer = model ? modelledWriter({ inner, model, cache, onVectors: () => undefined }) : inner;
  await writer.begin(SETTINGS, false);
  await writer.stage(DOCUMENTS);
  await writer.publish(presentOf(DOCUMENTS));
  await writer.close();
}

/** Asks as a server does that was started with the model, or without one. */
async function search(file: string, text: string, model: TextModel | null): Promise<SearchAnswer> {
  // Servers send the profile to a thread.
  const choice = structuredClone(embedderFor(model ? complete : nothing, model).profile);
  const plain = makePort('sections', new SqliteReader(file, embedderOfChoice(choice)));
  const index = withModels(plain, { model, reranker: null });
  const answer = await index.search(aQuery(text));
  await index.close();
  return answer;
}

describe('PITH_EMBEDDER=auto', () => {
  beforeAll(() => writeFileSync(folder.file('file'), 'no folder'));

  it.each([
    ['nothing installed', nothing],
    ['the encoder alone installed', installed('encoder', ENCODER)],
    ['the runtime alone installed', installed('runtime', RUNTIME)],
    ["a data folder that can't be read", modelsConfig({ modelFolder: join(folder.file('file'), 'models') })],
  ])('opens no model with %s', (_, config) => {
    expect(openTextModel(config, 'index')).toBeNull();
  });

  it('opens the installed encoder', async () => {
    const model = openTextModel(complete, 'index');
    expect(model?.profile).toMatchObject({ name: 'all-MiniLM-L6-v2-int8', dimensions: 384, recalls: true });
    await model?.close();
  });

  it('finds by meaning in an index that the encoder made', async () => {
    const file = folder.file('modelled.sqlite');
    await publish(file, encoder());
    const answer = await search(file, 'vessel', encoder());
    expect(idsOf(answer)[0]).toContain('ship.md');
    expect(answer.degraded ?? []).toEqual([]);
  });

  it('reads by words an index that was built before the encoder was installed', async () => {
    const file = folder.file('older.sqlite');
    await publish(file, null);
    const answer = await search(file, 'ship', encoder());
    expect(idsOf(answer)).toHaveLength(1);
    expect(answer.degraded ?? []).toEqual([]);
  });

  it('asks the encoder only once the index has its vectors', async () => {
    const file = folder.file('used.sqlite');
    await publish(file, null);
    const index = Object.assign(new IndexConfig(), { file });
    const model = encoder();
    const plain = makePort('sections', new SqliteReader(file, embedderFor(complete, model)));
    const served = withModels(plain, { model, reranker: null }, () => usesModel({ ...complete, index }));
    expect((await served.search(aQuery('ship'))).degraded ?? []).toEqual([]);
    expect(model.asked).toEqual([]);
    await publish(file, encoder());
    expect(idsOf(await served.search(aQuery('vessel')))[0]).toContain('ship.md');
    expect(model.asked).toHaveLength(1);
    await served.close();
  });

  it('reads by words an index that was built before the encoder was removed, and says so', async () => {
    const file = folder.file('removed.sqlite');
    await publish(file, encoder());
    const answer = await search(file, 'ship', null);
    expect(idsOf(answer)).toHaveLength(1);
    expect(answer.degraded).toEqual(['vector']);
  });

  it('has doctor say that an index needs the encoder', async () => {
    const [plain, modelled] = [folder.file('plain.sqlite'), folder.file('needs.sqlite')];
    await publish(plain, null);
    await publish(modelled, encoder());
    const check = ({ models, backends }: typeof nothing, file: string) =>
      checkModel({ models, backends, index: Object.assign(new IndexConfig(), { file }) })[0];
    expect(check(nothing, plain)).toMatchObject({ isGood: true, text: expect.stringContaining('optional') });
    expect(check(complete, modelled)).toMatchObject({ isGood: true });
    expect(check(nothing, modelled)).toMatchObject({
      isGood: false,
      hint: expect.stringContaining('pith model install'),
    });
  });

  it('builds an index again when the encoder was installed since', async () => {
    const file = folder.file('upgraded.sqlite');
    await publish(file, null);
    expect(hasModelVectors(file, embedderFor(nothing, null).profile)).toBe(false);
    await publish(file, encoder());
    expect(hasModelVectors(file, embedderFor(nothing, null).profile)).toBe(true);
  });
});
