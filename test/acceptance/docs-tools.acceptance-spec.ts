import { testFolder } from '../support/build-index.js';
import { corpusFolder, drawQueries } from '../support/corpora.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { parseDelimited } from '../support/parse-delimited.js';
import { runPith } from '../support/run-pith.js';

const QUERIES = 500;
const folder = testFolder();
const corpus = corpusFolder('powershell', folder.file('docs'));

interface Hit {
  readonly chunk_id: string;
  readonly heading: string;
}

interface Chunk {
  readonly chunk_id: string;
  readonly relation: string;
  readonly text: string;
}

describe('search_docs and get_doc on a real corpus', () => {
  let client: TestClient;

  beforeAll(async () => {
    const index = folder.file('index.sqlite');
    await runPith(['index', corpus, '--index', index, '--project', 'docs']);
    const env = { PITH_RATE_PER_MINUTE: '0' };
    client = await connectClient({ era: 'v1', transport: 'stdio', index, env });
    await client.listTools();
  }, 600_000);

  afterAll(async () => {
    await client.close();
    folder.remove();
  });

  it(`return a chunk with valid delimiters for every hit of ${QUERIES} queries`, async () => {
    const ids = new Set<string>();
    const pages = new Map<string, readonly Hit[]>();
    for (const query of drawQueries(corpus, QUERIES, 11)) {
      const result = await client.call('search_docs', { query });
      const { hits } = JSON.parse(result.content[0]?.text ?? '{}') as { hits: Hit[] };
      pages.set(query, hits);
      for (const { chunk_id } of hits) ids.add(chunk_id);
    }
    const wrong: string[] = [];
    const texts = new Map<string, string | undefined>();
    for (const chunk_id of ids) {
      const result = await client.call('get_doc', { chunk_id, context: 1 });
      const blocks = parseDelimited(result.content[0]?.text ?? '');
      const { chunks = [] } = (result.structuredContent ?? {}) as { chunks?: Chunk[] };
      const targets = blocks.filter(({ offset }) => offset === 0).map((block) => block.chunk_id);
      texts.set(chunk_id, chunks.find((chunk) => chunk.relation === 'target')?.text);
      const isWhole =
        blocks.map((block) => block.chunk_id).join() === chunks.map((chunk) => chunk.chunk_id).join();
      if (targets.join() !== chunk_id || !isWhole) wrong.push(chunk_id);
    }
    expect(ids.size).toBeGreaterThan(QUERIES / 2);
    expect(wrong).toEqual([]);
    // Ten hits never contain the same text under the same heading twice; snippets of different texts may be equal.
    const twice = [...pages].filter(([, hits]) => {
      const seen = hits.map(({ heading, chunk_id }) => `${heading}\n${texts.get(chunk_id)}`);
      return new Set(seen).size < seen.length;
    });
    expect(twice).toEqual([]);
  }, 600_000);

  it('give a hint if no word of a query is found, with and without vectors', async () => {
    const result = await client.call('search_docs', { query: 'zyzzyva kwyjibo' });
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
      hits: [],
      hint: { message: expect.stringMatching(/^0 results found/) },
    });
  });
});
