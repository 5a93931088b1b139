import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import {
  type AskQdrant,
  type QdrantApi,
  QdrantConnection,
} from '../../../src/engines/qdrant/qdrant-connection.js';
import { aConnection, aReader, publishTo } from '../../contract/qdrant-subjects.js';
import { describeEngines, engineUrl } from '../../support/engine.js';
import { anIndexedDocument, EVERYTHING } from '../../support/indexed-documents.js';
import { timed } from '../../support/processes.js';
import { testFolder } from '../../support/test-folder.js';

const url = engineUrl('qdrant') ?? '';

type Facet = Parameters<QdrantApi['facet']>[0];

/** A connection that records requests for facets and overrides the status of collections. */
class StatusConnection extends QdrantConnection {
  status: 'green' | 'yellow' = 'green';
  readonly facets: Facet[] = [];

  constructor() {
    super({ url, apiKey: '', timeoutMs: 30_000, concurrency: 16 });
  }

  override read<T>(ask: AskQdrant<T>): Promise<T> {
    return super.read((api, init) => ask(this.noting(api), init));
  }

  private noting(api: QdrantApi): QdrantApi {
    const facet = new Proxy(api.facet, {
      apply: (ask, _, [asked, init]: Parameters<QdrantApi['facet']>) => {
        this.facets.push(asked);
        return ask(asked, init);
      },
    });
    const getCollection = new Proxy(api.getCollection, {
      apply: async (ask, _, [asked, init]: Parameters<QdrantApi['getCollection']>) => {
        const answer = await ask(asked, init);
        if (answer.data.result) answer.data.result.status = this.status;
        return answer;
      },
    });
    return { ...api, facet, getCollection };
  }
}

const generation = (number: number): IndexedDocument[] =>
  Array.from({ length: 3 }, (_, i) =>
    anIndexedDocument({
      path: `p${i}.md`,
      hash: String(number),
      title: `Title ${number}`,
      docTag: `tag${number}`,
      texts: [`A kestrel of day${number}. SQL (Structured${number} Query Language).`],
      metadata: { version: String(number) },
    }),
  );

describeEngines(['qdrant'], 'a collection in Qdrant that was just published', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('has no values of deleted documents, however often it is published', async () => {
    const connection = aConnection(url);
    const lasting = aReader(connection);
    for (let number = 1; number <= 6; number++) {
      await publishTo(connection, { file: folder.file('values.sqlite') }, generation(number));
      for (const index of [lasting, aReader(connection), lasting]) {
        const { taxonomy } = await index.corpus(EVERYTHING);
        expect(taxonomy.map(({ key, values }) => [key, values])).toEqual([['version', [String(number)]]]);
        const facts = await index.facts(EVERYTHING, 9);
        const tag = { value: `tag${number}`, documents: 3, sections: 3 };
        expect(facts).toMatchObject({ docTags: [tag], titles: [`Title ${number}`] });
      }
    }
  }, 60_000);

  it('is queried for counts without locking its optimiser, with a high limit for each segment', async () => {
    await publishTo(aConnection(url), { file: folder.file('counts.sqlite') }, generation(1));
    const connection = new StatusConnection();
    const index = aReader(connection);
    await index.corpus(EVERYTHING);
    await index.facts(EVERYTHING, 2);
    expect(connection.facets.length).toBeGreaterThan(3);
    expect(connection.facets.filter(({ exact }) => exact !== false)).toEqual([]);
    expect(Math.min(...connection.facets.map(({ limit }) => limit ?? 0))).toBeGreaterThanOrEqual(10_000);
  });

  it('is cached after it has settled, not before', async () => {
    await publishTo(aConnection(url), { file: folder.file('settling.sqlite') }, generation(1));
    const connection = new StatusConnection();
    const index = aReader(connection);
    const facetsOf = async (status: 'green' | 'yellow'): Promise<number> => {
      connection.status = status;
      const before = connection.facets.length;
      await index.corpus(EVERYTHING);
      return connection.facets.length - before;
    };
    expect([await facetsOf('yellow'), await facetsOf('yellow')]).toEqual([1, 1]);
    expect([await facetsOf('green'), await facetsOf('green')]).toEqual([1, 0]);
  });

  it('responds without the delay of 40 ms for small compressed responses', async () => {
    const connection = aConnection(url);
    await publishTo(connection, { file: folder.file('fast.sqlite') }, generation(1));
    const index = aReader(connection);
    const times: number[] = [];
    for (let i = 0; i < 30; i++) times.push((await timed(index.stamp())).ms);
    expect(Math.min(...times)).toBeLessThan(40);
  });
});
