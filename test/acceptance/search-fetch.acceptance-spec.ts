import type { CallResult, TestClient } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { ONE_OF_EACH, openSite, type Site, TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');

let chatgpt: Site;
let alone: Site;
let other: Site;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  [chatgpt, alone, other] = await Promise.all([
    openSite(index, { clientName: 'openai-mcp' }),
    openSite(index, { env: { MCP_TOOLSET: 'search-fetch' }, transports: ONE_OF_EACH }),
    openSite(index, { transports: ONE_OF_EACH }),
  ]);
});

afterAll(async () => {
  await Promise.all([chatgpt, alone, other].map((site) => site.stop()));
  folder.remove();
});

const namesOf = async (client: TestClient): Promise<string[]> =>
  (await client.listTools()).map(({ name }) => name);

/** The only text item of a result, as JSON. */
function onlyJson({ content }: CallResult): unknown {
  expect(content.map(({ type }) => type)).toEqual(['text']);
  return JSON.parse(String(content[0]?.text));
}

describe.each(TRANSPORTS)('search and fetch, for ChatGPT as a %s client over %s', (era, transport) => {
  let client: TestClient;

  beforeAll(() => {
    client = chatgpt.client(era, transport);
  });

  it('are listed beside the other tools, with one text argument, as tools that only read', async () => {
    const tools = await client.listTools();
    const [search, fetch] = ['search', 'fetch'].map((name) => tools.find((tool) => tool.name === name));
    expect(search).toMatchObject({
      inputSchema: { properties: { query: { type: 'string' } }, required: ['query'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(fetch).toMatchObject({
      inputSchema: { properties: { id: { type: 'string' } }, required: ['id'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(tools.map(({ name }) => name)).toContain('kb_retrieve_evidence');
  });

  it('find a document and read it, as one text item and as structured content', async () => {
    const found = await client.call('search', { query: 'leave the waiting list' });
    const { results } = onlyJson(found) as { results: Record<string, string>[] };
    expect(found.structuredContent).toEqual({ results });
    const result = {
      id: expect.any(String),
      title: expect.any(String),
      url: expect.stringMatching(/^[a-z]+:/),
    };
    expect(results).toEqual(results.map(() => result));
    const read = await client.call('fetch', { id: results[0]?.['id'] });
    expect(read.structuredContent).toEqual(onlyJson(read));
    expect(read.structuredContent).toEqual({
      id: results[0]?.['id'],
      title: expect.any(String),
      text: expect.stringContaining('leaves the waiting list'),
      url: results[0]?.['url'],
      metadata: expect.objectContaining({ path: expect.any(String), updated_at: expect.any(String) }),
    });
  });

  it('give addresses of documents without one that open: in the reader over HTTP, else as resources', async () => {
    const { structuredContent } = await client.call('search', { query: 'leave the waiting list' });
    const results = structuredContent?.['results'] as { url: string }[];
    const isOurs = transport === 'http' ? /^http:\/\/127\.0\.0\.1:\d+\/read\// : /^docs:\/\/\//;
    const url = results.map((each) => each.url).find((each) => isOurs.test(each)) ?? '';
    if (transport === 'http') expect((await fetch(url)).status).toBe(200);
    else expect((await client.readResource(url)).contents[0]?.text).toMatch(/^# /);
  });

  it('say what to do about an unknown id', async () => {
    const refused = await client.call('fetch', { id: 'no/such.md' });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.content[0]?.text).toContain('Use an id that `search` returned.');
  });
});

describe.each(ONE_OF_EACH)('for a %s client over %s', (era, transport) => {
  it('are the only tools with their own toolset', async () => {
    expect(await namesOf(alone.client(era, transport))).toEqual(['search', 'fetch']);
    expect(alone.client(era, transport).instructions()).toContain('Call `search`');
  });

  it('are not listed for other hosts, and answer them', async () => {
    const client = other.client(era, transport);
    expect(await namesOf(client)).not.toContain('search');
    expect(await client.call('search', { query: 'berth' })).toMatchObject({
      structuredContent: { results: expect.any(Array) },
    });
  });
});
