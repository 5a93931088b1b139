import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import {
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { TRANSPORTS } from '../support/sites.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
let http: HttpProcess;

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  http = await startHttpProcess(index);
});

afterAll(async () => {
  await http.stop();
  folder.remove();
});

describe.each(TRANSPORTS)('a real %s client over %s', (era, transport) => {
  let client: TestClient;

  beforeAll(async () => {
    client = await connectClient({ era, transport, index, url: http.url });
  });

  afterAll(() => client.close());

  it('lists the sixteen tools', async () => {
    const names = (await client.listTools()).map(({ name }) => name);
    expect(names).toEqual([
      'kb.retrieve_evidence',
      'kb.search',
      'kb.read_excerpt',
      'kb.expand_excerpt',
      'kb.extract_evidence',
      'search_docs',
      'get_doc',
      'graph.describe',
      'graph.expand',
      'graph.paths',
      'graph.parents',
      'graph.children',
      'graph.entities_for_sections',
      'graph.sections_for_entities',
      'scope.describe',
      'scratch.list',
    ]);
  });

  it('answers a question with a verbatim, cited quote', async () => {
    const result = await client.call('kb.retrieve_evidence', {
      question: 'When does a ship leave the waiting list?',
    });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject({
      quotes: expect.arrayContaining([
        expect.objectContaining({
          quote: expect.stringContaining('after twelve hours without a sign of life'),
          section_id: 'guides/waiting-list.mdx#leaving-the-list',
        }),
      ]),
    });
  });
});
