import { buildIndex } from '../support/build-index.js';
import { httpRequest, type RawResponse } from '../support/http-request.js';
import { connectClient, type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const TOKEN = 'the-token-of-all-callers';
const DOCS = {
  '.pith.yaml':
    'project: harbour\nrepository: harbour\ntaxonomy: { version: {} }\ndocuments: [{ match: ["**"], doc_tag: manual }, { match: ["inner/**"], doc_tag: inner }]\n',
  'v1.md': '---\nversion: "1.0"\n---\n# Mooring\n\nShips moor with two ropes in the old quay.\n',
  'v2.md': '---\nversion: "2.0"\n---\n# Mooring\n\nShips moor with four ropes at every new pier.\n',
  'inner/plan.md': '# Plan\n\nThe harbour board sells the northern pier to nobody.\n',
};
const folder = testFolder();
const index = folder.file('index.sqlite');
let server: HttpProcess;

beforeAll(async () => {
  writeFiles(folder.file('docs'), DOCS);
  await buildIndex(folder.file('docs'), index);
  server = await startHttpProcess(index, {
    ...{ PITH_SEARCH_PAGE: 'public', PITH_PUBLIC_DOC_TAGS: 'manual', PITH_HTTP_TOKEN: TOKEN },
    PITH_PUBLIC_PER_MINUTE: '40',
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

const signedIn = { authorization: `Bearer ${TOKEN}` };
const get = (path: string, headers: Record<string, string> = {}): Promise<RawResponse> =>
  httpRequest(new URL(path, server.url).href, { method: 'GET', headers });

describe('the filter of versions', () => {
  it('has the versions of the documents, the newest first', async () => {
    const { body } = await get('/');
    const [, options = ''] = /name="version">([\s\S]*?)<\/select>/.exec(body) ?? [];
    expect([...options.matchAll(/value="([^"]*)"/g)].map(([, value]) => value)).toEqual(['', '2.0', '1.0']);
  });

  it.each([
    ['1.0', 'two ropes', 'four ropes'],
    ['2.0', 'four ropes', 'two ropes'],
  ])('answers from version %s alone', async (version, said, unsaid) => {
    const { body } = await get(`/?q=How+do+ships+moor+with+ropes&version=${version}`);
    expect(body).toContain(said);
    expect(body).not.toContain(unsaid);
  });
});

describe('visitors', () => {
  it('see the documents of the setting, and others see all', async () => {
    expect((await get('/?q=harbour+board')).body).not.toContain('sells the northern');
    expect((await get('/read/inner/plan.md')).status).toBe(404);
    expect((await get('/?q=harbour+board', signedIn)).body).toContain('sells the northern');
    expect((await get('/read/inner/plan.md', signedIn)).status).toBe(200);
  });

  it('call no tool themselves', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await httpRequest(server.url, { body })).status).toBe(401);
  });

  it('wait after too many pages, and others do not', async () => {
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 41; i++) statuses.push((await get('/read/none.md')).status);
    const last = await get('/');
    expect(statuses).toContain(404);
    expect(last.status).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get('/', signedIn)).status).toBe(200);
  });
});

describe('a citation', () => {
  const ask = async (transport: 'http' | 'stdio'): Promise<string | undefined> => {
    const connection = { era: 'v2' as const, transport, index, url: server.url, headers: signedIn };
    const client = await connectClient(connection);
    const { structuredContent } = await client.call('kb.retrieve_evidence', { question: 'harbour board' });
    await client.close();
    const [source]: { url?: string }[] = Object(structuredContent).sources;
    return source?.url;
  };

  it('leads to the reader over HTTP, and nowhere over STDIO', async () => {
    const url = (await ask('http')) ?? '';
    expect(url).toBe(new URL('/read/inner/plan.md', server.url).href);
    expect((await httpRequest(url, { method: 'GET', headers: signedIn })).body).toContain(
      'sells the northern',
    );
    expect(await ask('stdio')).toBeUndefined();
  });

  it('leads to the server as the caller reached it, and not as an earlier call did', async () => {
    const question = 'harbour board';
    const asked = async (host: string, tool: string, args: Record<string, unknown>) => {
      const url = Object.assign(new URL(server.url), { hostname: host }).href;
      const client = await connectClient({ era: 'v2', transport: 'http', index, url, headers: signedIn });
      const { structuredContent } = await client.call(tool, { question, ...args });
      await client.close();
      const { quotes, sources } = Object(structuredContent);
      return { passage: String(quotes[0].passage_id), host: new URL(sources[0].url).hostname };
    };
    const { passage, host } = await asked('localhost', 'kb.retrieve_evidence', {});
    expect(host).toBe('localhost');
    const again = await asked('127.0.0.1', 'kb.extract_evidence', { passage_ids: [passage] });
    expect(again).toEqual({ passage, host: '127.0.0.1' });
  });
});
