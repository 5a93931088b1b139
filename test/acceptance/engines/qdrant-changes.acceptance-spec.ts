import { QdrantClient } from '@qdrant/js-client-rest';
import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import { aliasOf, SLOTS } from '../../../src/engines/qdrant/names.js';
import type { QdrantConnection } from '../../../src/engines/qdrant/qdrant-connection.js';
import { QdrantMirror } from '../../../src/engines/qdrant/qdrant-mirror.js';
import { Terms, Vocabulary } from '../../../src/engines/qdrant/vocabulary.js';
import { WritableCollection } from '../../../src/engines/qdrant/writing/writable-collection.js';
import { readBuiltGraph } from '../../../src/sqlite/graph/read-built-graph.js';
import { withBuiltIndex } from '../../../src/sqlite/index/read-built-index.js';
import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { canonicalJson } from '../../../src/text/canonical-json.js';
import { latentCorpus } from '../../contract/latent-corpus.js';
import { aConnection, publishTo } from '../../contract/qdrant-subjects.js';
import { randomFrom } from '../../support/corpora.js';
import { startCutProxy } from '../../support/cut-proxy.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, SETTINGS } from '../../support/indexed-documents.js';
import { ownProject } from '../../support/own-project.js';
import { testFolder } from '../../support/test-folder.js';

jest.setTimeout(300_000);

const CHANGES = 25;
const { environment } = SETTINGS;

describeEngines(['qdrant'], 'an index in Qdrant that follows changes', () => {
  const url = engineUrl('qdrant') ?? '';
  const client = new QdrantClient({ url, checkCompatibility: false });
  const folder = testFolder();
  afterAll(() => folder.remove());

  /** The collection behind the alias of a project. */
  async function liveCollection(projectId: string): Promise<WritableCollection> {
    const alias = aliasOf(projectId, environment);
    const { aliases } = await client.getAliases();
    const name = aliases.find(({ alias_name }) => alias_name === alias)?.collection_name;
    const slot = SLOTS.find((each) => name?.endsWith(`_${each}`)) ?? 'a';
    return new WritableCollection(aConnection(url), alias, slot);
  }

  /** The points of documents and sections, and the number of sections with each term. */
  async function contents(projectId: string, terms: readonly string[]) {
    const live = await liveCollection(projectId);
    const { points } = await client.scroll(live.name, { limit: 10_000, with_vector: true });
    const stamp = await live.stamp();
    const { vocabulary, changes } = stamp?.blobs ?? {};
    const base = vocabulary ? await live.blob(vocabulary) : null;
    const changed = changes ? await live.blob(changes) : null;
    const known = new Vocabulary(new Terms(base ?? Buffer.alloc(0)), changed ?? undefined);
    return {
      points: points
        .filter(({ payload }) => payload?.['kind'] !== 'stamp' && payload?.['kind'] !== 'blob')
        .map((point) => canonicalJson(point))
        .sort(),
      terms: terms.map((term) => [term, known.sectionsWith(term)]),
      totals: [stamp?.sectionCount, stamp?.averageLength, stamp?.bytes],
    };
  }

  /** Fills another project from the same file, and compares. */
  async function expectFresh(file: string, projectId: string, run: number): Promise<void> {
    const { profile } = embedderNamed('lsa');
    const fresh = ownProject(`fresh-${run}`);
    const terms = await withBuiltIndex({ file, profile, readGraph: readBuiltGraph }, async (built) => {
      const own = { ...built, stamp: { ...built.stamp, projectId: fresh } };
      await (
        await new QdrantMirror(aConnection(url)).fill(own, () => undefined)
      )();
      return [...built.vocabulary()].map(([term]) => term);
    });
    expect(await contents(projectId, terms)).toEqual(await contents(fresh, terms));
  }

  it(`equals a new index after ${CHANGES} changes in a row, point by point`, async () => {
    const random = randomFrom(5);
    const file = folder.file('many.sqlite');
    const projectId = ownProject('many');
    const documents = new Map(latentCorpus(60).map((each) => [each.facts.path, each]));
    const publish = () => publishTo(aConnection(url), { file, projectId }, [...documents.values()]);
    await publish();
    for (let run = 1; run <= CHANGES; run++) {
      const path = `note-${Math.floor(random() * 64)}.md`;
      const count = 1 + Math.floor(random() * 3);
      const texts = Array.from(
        { length: count },
        (_, i) => `Word${run} of part ${i}, Latent Thing (LT${run}).`,
      );
      if (random() < 0.2) documents.delete(path);
      else documents.set(path, anIndexedDocument({ path, texts, hash: `${run}` }));
      await publish();
      if (run % 5 === 0) await expectFresh(file, projectId, run);
    }
  });

  it('sends a changed page, and not the space, the terms or other pages', async () => {
    const file = folder.file('one.sqlite');
    const projectId = ownProject('one');
    const others = latentCorpus(120);
    const page = (text: string): IndexedDocument =>
      anIndexedDocument({ path: 'p.md', texts: [text], hash: text });
    const sent = async (text: string): Promise<number> => {
      const proxy = await startCutProxy(new URL(url));
      const connection: QdrantConnection = aConnection(`http://127.0.0.1:${proxy.port}`);
      await publishTo(connection, { file, projectId }, [...others, page(text)]);
      proxy.stop();
      return proxy.sentBytes();
    };
    const first = await sent('A kestrel.');
    // The second collection is filled.
    await sent('An owl.');
    const changed = await sent('A heron.');
    expect(first).toBeGreaterThan(400_000);
    expect(changed).toBeLessThan(20_000);
  });
});
