import { type CallResult, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';
import { behindToolsGateway, type GatewayClient } from '../support/tools-gateway.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const QUESTION = 'When does a ship leave the waiting list?';

let server: HttpProcess;
let client: GatewayClient;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  server = await startHttpProcess(index);
  client = await behindToolsGateway(server.url);
  // The SDK then checks every result against the listed schema.
  await client.listTools();
});

afterAll(async () => {
  await client.close();
  await server.stop();
  folder.remove();
});

const textOf = ({ content }: CallResult): string => content.map(({ text }) => text).join('\n');
const dataOf = <T>({ structuredContent }: CallResult): T => structuredContent as T;

interface Evidence {
  readonly quotes: { readonly passage_id: string; readonly quote: string; readonly section_id: string }[];
}
interface Found {
  readonly results: { readonly passage_id: string; readonly section_id: string }[];
  readonly next_cursor: string | null;
}

describe('behind a gateway that passes on tools only', () => {
  it('has nothing but tools', () => {
    expect(client.capabilities()).toEqual({ tools: {} });
  });

  it('answers with quotes, their sections and a verdict, also in the text alone', async () => {
    const answered = await client.call('kb_retrieve_evidence', { question: QUESTION });
    const { quotes } = dataOf<Evidence>(answered);
    expect(quotes[0]?.quote).toContain('leaves the waiting list');
    expect(textOf(answered)).toContain(quotes[0]?.section_id);
    const unknown = await client.call('kb_retrieve_evidence', { question: 'What is a xylophone zeppelin?' });
    expect(textOf(unknown)).toContain('These documents probably do not answer this.');
  });

  it('reads on in a passage, in requests that know nothing of each other', async () => {
    const { quotes } = dataOf<Evidence>(await client.call('kb_retrieve_evidence', { question: QUESTION }));
    const passage_id = quotes[0]?.passage_id;
    const read = await client.call('kb_read_excerpt', { passage_id });
    const expanded = await client.call('kb_expand_excerpt', { passage_id });
    const extracted = await client.call('kb_extract_evidence', {
      question: QUESTION,
      passage_ids: [passage_id],
    });
    expect(textOf(read)).toContain('leaves the waiting list');
    expect(expanded.isError).toBeFalsy();
    expect(dataOf<Evidence>(extracted).quotes[0]?.passage_id).toBe(passage_id);
  });

  it('leaves out what it was shown if asked to', async () => {
    await client.call('kb_retrieve_evidence', { question: QUESTION });
    const again = await client.call('kb_retrieve_evidence', {
      question: QUESTION,
      options: { skip_seen: true },
    });
    expect(textOf(again)).not.toContain('leaves the waiting list when');
  });

  it('walks through pages of results', async () => {
    const args = { query: 'ship', top_k: 4, page_size: 2 };
    const first = dataOf<Found>(await client.call('kb_search', args));
    const second = dataOf<Found>(await client.call('kb_search', { ...args, cursor: first.next_cursor }));
    const ids = [...first.results, ...second.results].map(({ section_id }) => section_id);
    expect(new Set(ids).size).toBe(4);
  });

  it('searches with filters and reads a document', async () => {
    const { structuredContent } = await client.call('search_docs', { query: 'waiting list' });
    const [hit] = structuredContent?.['hits'] as { chunk_id: string; filepath: string }[];
    expect(textOf(await client.call('get_doc', { chunk_id: hit?.filepath }))).toContain('--- Chunk: ');
    const listed = await client.call('scope_describe', { documents: 5 });
    expect(listed.isError).toBeFalsy();
  });

  it('follows the graph from a section', async () => {
    const { results } = dataOf<Found>(await client.call('kb_search', { query: 'ship' }));
    const expanded = await client.call('graph_expand', { node_ids: [results[0]?.section_id] });
    expect(expanded.isError).toBeFalsy();
  });

  it('says what is wrong and what to do', async () => {
    const refused = await client.call('kb_read_excerpt', { passage_id: 'unknown' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/^INVALID_ARGUMENT: .+ kb_search/s);
  });

  it('asked the server for nothing but tools', () => {
    expect([...new Set(client.passedOn())].sort()).toEqual(['tools/call', 'tools/list']);
  });
});
