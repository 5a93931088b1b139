import {
  type AskQdrant,
  type QdrantApi,
  QdrantConnection,
} from '../../../../src/engines/qdrant/qdrant-connection.js';
import { QdrantSectionIndex } from '../../../../src/engines/qdrant/qdrant-section-index.js';
import { identityOf, stampPoint } from '../../../../src/engines/qdrant/stamp.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';

const OWN = { projectId: 'p', environment: 'e' };
const SCOPE = { ...OWN, docTags: null, repositories: null };
const embedder = embedderNamed('lsa');
/** More than a facet count returns, in an order that is not that of their paths. */
const COUNT = 100_003;
const pathOf = (number: number): string => `${String(number).padStart(6, '0')}.md`;
const PATHS = Array.from({ length: COUNT }, (_, i) => pathOf(COUNT - 1 - i));

const { payload: STAMP } = stampPoint({
  ...OWN,
  generation: 'g:1',
  indexedAt: '2026-01-01T00:00:00.000Z',
  identity: identityOf(embedder.profile),
  run: 'r',
  isWhole: true,
  sectionCount: COUNT,
  averageLength: 1,
  bytes: 1,
  points: 1,
  blobs: {},
});

interface Sought {
  readonly filter: {
    readonly must: readonly { readonly key?: string; readonly match?: { readonly any?: string[] } }[];
  };
}

/** The points of a search: the stamp, or the documents with the given paths. */
function pointsFor({ filter }: Sought): object[] {
  const paths = filter.must.find(({ key }) => key === 'path')?.match?.any;
  return paths ? paths.map((path) => ({ payload: { path } })) : [{ payload: STAMP }];
}

const answer = async (result: object) => ({ data: { result } });
const API = {
  queryBatchPoints: ({ searches }: { readonly searches: readonly Sought[] }) =>
    answer(searches.map((search) => ({ points: pointsFor(search) }))),
  facet: ({ limit }: { readonly limit: number }) =>
    answer({ hits: PATHS.slice(0, limit).map((value) => ({ value, count: 1 })) }),
  scrollPoints: ({
    limit,
    offset = 0,
    with_payload: [key = ''],
  }: {
    limit: number;
    offset?: number;
    with_payload: string[];
  }) =>
    answer({
      points: PATHS.slice(offset, offset + limit).map((path) => ({ payload: { [key]: path } })),
      next_page_offset: offset + limit < COUNT ? offset + limit : null,
    }),
};

/** Fake: a Qdrant with many documents, which limits facet counts as the real one does. */
class ManyDocuments extends QdrantConnection {
  constructor() {
    super({ url: 'http://qdrant.invalid', apiKey: '', timeoutMs: 1_000, concurrency: 1 });
  }

  override async read<T>(ask: AskQdrant<T>): Promise<T> {
    // The fake has the requests that lists make, with the fields that they read.
    const { data } = await ask(API as unknown as QdrantApi, { signal: new AbortController().signal });
    if (data.result === undefined) throw new Error('no result');
    return data.result;
  }
}

describe('QdrantSectionIndex with more documents than a facet count returns', () => {
  const index = new QdrantSectionIndex(new ManyDocuments(), { ...OWN, embedder });
  const pathsOf = ({ documents }: { documents: readonly { path: string }[] }) =>
    documents.map(({ path }) => path);

  it('lists the first page by path', async () => {
    expect(pathsOf(await index.documents(SCOPE, 0, 2))).toEqual([pathOf(0), pathOf(1)]);
  });

  it('lists the last page', async () => {
    expect(pathsOf(await index.documents(SCOPE, COUNT - 2, 10))).toEqual([
      pathOf(COUNT - 2),
      pathOf(COUNT - 1),
    ]);
  });

  it('lists resources from the first to the last', async () => {
    expect(pathsOf(await index.resources(SCOPE, null, 1))).toEqual([pathOf(0)]);
    expect(pathsOf(await index.resources(SCOPE, pathOf(COUNT - 2), 10))).toEqual([pathOf(COUNT - 1)]);
  });
});
