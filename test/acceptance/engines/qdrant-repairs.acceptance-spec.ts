import { copyFileSync } from 'node:fs';
import { QdrantClient } from '@qdrant/js-client-rest';
import { blobIds } from '../../../src/engines/qdrant/blobs.js';
import { aliasOf, SLOTS } from '../../../src/engines/qdrant/names.js';
import type { Filter } from '../../../src/engines/qdrant/qdrant-connection.js';
import { QdrantMirror } from '../../../src/engines/qdrant/qdrant-mirror.js';
import type { QdrantStamp } from '../../../src/engines/qdrant/stamp.js';
import { WritableCollection } from '../../../src/engines/qdrant/writing/writable-collection.js';
import { readBuiltGraph } from '../../../src/sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../../../src/sqlite/index/read-built-index.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { latentCorpus } from '../../contract/latent-corpus.js';
import { aConnection, aReader, publishTo } from '../../contract/qdrant-subjects.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, EVERYTHING, SETTINGS } from '../../support/indexed-documents.js';
import { ownProject } from '../../support/own-project.js';
import { testFolder } from '../../support/test-folder.js';

jest.setTimeout(120_000);

const OTHERS = latentCorpus(120);

describeEngines(['qdrant'], 'a run that repairs an index in Qdrant', () => {
  const url = engineUrl('qdrant') ?? '';
  const client = new QdrantClient({ url, checkCompatibility: false });
  const connection = aConnection(url);
  const folder = testFolder();
  afterAll(() => folder.remove());

  const publish = (projectId: string, text: string, file = folder.file(`${projectId}.sqlite`)) =>
    publishTo(connection, { file, projectId }, [
      ...OTHERS,
      anIndexedDocument({ path: 'p.md', texts: [text], hash: text }),
    ]);

  /** The live collection of a project, or the other one. */
  async function collection(projectId: string, isLive: boolean): Promise<WritableCollection> {
    const alias = aliasOf(projectId, SETTINGS.environment);
    const { aliases } = await client.getAliases();
    const name = aliases.find(({ alias_name }) => alias_name === alias)?.collection_name;
    const slot = SLOTS.find((each) => (name === `${alias}_${each}`) === isLive);
    if (!slot) throw new Error('no such collection');
    return new WritableCollection(connection, alias, slot);
  }

  async function stampIn(from: WritableCollection): Promise<QdrantStamp> {
    const stamp = await from.stamp();
    if (!stamp) throw new Error('no stamp');
    return stamp;
  }

  /** A project whose two collections are whole, and the one that the next run writes. */
  async function filled(name: string): Promise<{ projectId: string; idle: WritableCollection }> {
    const projectId = ownProject(name);
    await publish(projectId, 'A kestrel.');
    await publish(projectId, 'An owl.');
    return { projectId, idle: await collection(projectId, false) };
  }

  const countIn = async (name: string, filter: Filter): Promise<number> =>
    (await client.count(name, { filter, exact: true })).count;

  async function expectReadable(projectId: string): Promise<void> {
    const live = await collection(projectId, true);
    const { blobs } = await stampIn(live);
    const found = await Promise.all(Object.values(blobs).map((stamp) => live.blob(stamp)));
    expect(found).not.toContain(null);
    expect(Object.keys(blobs)).toEqual(expect.arrayContaining(['vocabulary', 'acronyms', 'space']));
  }

  it('writes lost blobs again', async () => {
    const { projectId, idle } = await filled('lost-blobs');
    await client.delete(idle.name, {
      wait: true,
      filter: { must: [{ key: 'kind', match: { value: 'blob' } }] },
    });
    await publish(projectId, 'A heron.');
    await expectReadable(projectId);
  });

  it('writes damaged terms again', async () => {
    const { projectId, idle } = await filled('damaged-terms');
    for (const each of SLOTS) {
      const name = `${aliasOf(projectId, SETTINGS.environment)}_${each}`;
      const { vocabulary } = (
        await stampIn(each === idle.name.at(-1) ? idle : await collection(projectId, true))
      ).blobs;
      if (!vocabulary) throw new Error('no terms');
      await client.setPayload(name, { points: blobIds(vocabulary), payload: { data: 'AAAA' }, wait: true });
    }
    await publish(projectId, 'A heron.');
    await expectReadable(projectId);
    // The other collection is still damaged.
    await publish(projectId, 'A kestrel.');
    await expectReadable(projectId);
  });

  for (const kind of ['section', 'document']) {
    it(`writes a lost ${kind} again, of a document that did not change`, async () => {
      const { projectId, idle } = await filled(`lost-${kind}`);
      const path = OTHERS[3]?.facts.path ?? '';
      const filter = {
        must: [
          { key: 'kind', match: { value: kind } },
          { key: 'path', match: { value: path } },
        ],
      };
      const before = await countIn(idle.name, filter);
      await client.delete(idle.name, { wait: true, filter });
      await publish(projectId, 'A heron.');
      expect(before).toBeGreaterThan(0);
      expect(await countIn((await collection(projectId, true)).name, filter)).toBe(before);
    });
  }

  it('publishes an index restored from a backup, whose generation Qdrant has already had', async () => {
    const projectId = ownProject('backup');
    const [file, backup] = [folder.file('now.sqlite'), folder.file('backup.sqlite')];
    await publish(projectId, 'A kestrel.', file);
    copyFileSync(file, backup);
    await publish(projectId, 'An owl.', file);
    await publish(projectId, 'A heron.', backup);
    const own = { ...EVERYTHING, projectId };
    const { sections } = await aReader(connection, { projectId }).sections(own, ['p.md']);
    expect(sections.map(({ section }) => section.text)).toEqual(['A heron.']);
  });

  it('keeps the terms that servers have parsed, when little changes', async () => {
    const projectId = ownProject('base');
    const bases: unknown[] = [];
    for (const text of ['A kestrel.', 'An owl.', 'A heron.', 'A kite.']) {
      await publish(projectId, text);
      bases.push((await stampIn(await collection(projectId, true))).blobs.vocabulary?.digest);
      await expectReadable(projectId);
    }
    expect(new Set(bases).size).toBe(1);
  });

  it('does not show a collection that another run has begun to fill', async () => {
    const { projectId } = await filled('begun');
    const { profile } = embedderNamed('lsa');
    const file = folder.file('begun.sqlite');
    await publishTo(connection, { file, projectId: `${projectId}-x` }, OTHERS);
    const mirror = new QdrantMirror(connection);
    await withBuiltIndex({ file, profile, readGraph: readBuiltGraph }, async (built) => {
      const own = { ...built, stamp: { ...built.stamp, projectId } };
      const show = await mirror.fill(own, () => undefined);
      const showLater = await mirror.fill(own, () => undefined);
      await expect(show()).rejects.toMatchObject({ reason: 'index_busy' });
      await expect(showLater()).resolves.toBeUndefined();
    });
  });

  it('does not trust what a collection held before another run wrote it', async () => {
    const { projectId } = await filled('between');
    const begin = jest.spyOn(WritableCollection.prototype, 'begin').mockImplementationOnce(async function (
      this: WritableCollection,
      stamp,
    ) {
      const document = anIndexedDocument({ path: 'two.md' });
      await publishTo(connection, { file: folder.file('two.sqlite'), projectId }, [document]);
      await this.begin(stamp);
    });
    await expect(publish(projectId, 'A heron.')).rejects.toMatchObject({ reason: 'index_busy' });
    begin.mockRestore();
    const own = { ...EVERYTHING, projectId };
    const { sections } = await aReader(connection, { projectId }).sections(own, ['p.md', 'two.md']);
    expect(sections.map(({ document }) => document.path)).toEqual(['two.md']);
  });
});
