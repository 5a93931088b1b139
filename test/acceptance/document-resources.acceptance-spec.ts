import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { cleanEnv, PROGRAM, type TestClient } from '../support/mcp-clients.js';
import { pithIndex, poll } from '../support/processes.js';
import { ONE_OF_EACH, openSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const COUNT = 230;
const NAMES = Array.from({ length: COUNT }, (_, i) => `page-${String(i).padStart(3, '0')}.md`);

let all: Site;
let limited: Site;

beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    ...Object.fromEntries(
      NAMES.map((name) => [name, `---\ndate: 2026-05-04\n---\n# About ${name}\n\nText: ä.\n`]),
    ),
    'secret/plan.md': '---\ndoc_tag: secret\n---\n# Plan\n\nNobody knows.\n',
  });
  await pithIndex(folder.file('docs'), index);
  [all, limited] = await Promise.all([
    openSite(index, { transports: ONE_OF_EACH }),
    openSite(index, { env: { PITH_DOC_TAGS: 'page-000,page-001' }, transports: ONE_OF_EACH }),
  ]);
});

afterAll(async () => {
  await Promise.all([all, limited].map((site) => site.stop()));
  folder.remove();
});

/** All pages of the list. */
async function pagesOf(client: TestClient): Promise<{ uri: string; [key: string]: unknown }[][]> {
  const pages: { uri: string; [key: string]: unknown }[][] = [];
  for (let cursor: string | undefined; ;) {
    const { resources, nextCursor } = await client.listResources(cursor);
    pages.push(resources);
    if (nextCursor === undefined) return pages;
    cursor = nextCursor;
  }
}

describe.each(ONE_OF_EACH)('documents without a manifest, for a %s client over %s', (era, transport) => {
  it('are listed by path, with title, size and date', async () => {
    const pages = await pagesOf(all.client(era, transport));
    expect(pages.flat().map(({ uri }) => uri)).toEqual(
      [...NAMES, 'secret/plan.md'].map((name) => `docs:///${name}`),
    );
    expect(pages[0]?.[0]).toEqual({
      uri: 'docs:///page-000.md',
      name: 'page-000.md',
      title: 'About page-000.md',
      mimeType: 'text/markdown',
      size: Buffer.byteLength('Text: ä.'),
      annotations: { audience: ['user', 'assistant'], lastModified: '2026-05-04T00:00:00.000Z' },
    });
  });

  it('are read by their URIs', async () => {
    const { contents } = await all.client(era, transport).readResource('docs:///page-007.md');
    expect(contents).toMatchObject([
      { text: '# About page-007.md\n\nText: ä.\n', mimeType: 'text/markdown' },
    ]);
  });

  it('outside the scope are not listed, and are read like documents that do not exist', async () => {
    const client = limited.client(era, transport);
    const listed = (await pagesOf(client)).flat().map(({ name }) => name);
    expect(listed).toEqual(['page-000.md', 'page-001.md']);
    const refusal = async (path: string) => {
      const failure = await client.readResource(`docs:///${path}`).catch((error: unknown) => error);
      return JSON.stringify({ ...Object(failure), message: String(failure) }).replaceAll(path, 'PATH');
    };
    const hidden = await refusal('secret/plan.md');
    expect(hidden).toContain('Resource not found.');
    expect(await refusal('absent/plan.md')).toBe(hidden);
  });
});

// A client of the 2026 era reads all pages by itself.
it('lists documents in pages of 100', async () => {
  const pages = await pagesOf(all.client('v1', 'stdio'));
  expect(pages.map(({ length }) => length)).toEqual([100, 100, 31]);
});

describe('subscriptions to documents', () => {
  const own = folder.file('subscribed.sqlite');
  const docs = folder.file('subscribed');
  let client: Client;
  let updated: string[];

  beforeAll(async () => {
    writeFiles(docs, { 'a.md': '# A\n\nOne.\n', 'b.md': '# B\n\nOne.\n' });
    await pithIndex(docs, own);
    client = new Client({ name: 'pith-tests', version: '1.0.0' });
    updated = [];
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
    const args = [PROGRAM, 'stdio', '--index', own];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }));
  });

  afterAll(() => client.close());

  it('are offered over STDIO, and not over HTTP, where nothing could be sent', async () => {
    expect(client.getServerCapabilities()).toMatchObject({ resources: { subscribe: true } });
    expect(all.client('v2', 'http').capabilities()).not.toMatchObject({ resources: { subscribe: true } });
  });

  it('tell of a document that was changed and indexed again, until they end', async () => {
    await client.subscribeResource({ uri: 'docs:///a.md' });
    writeFiles(docs, { 'a.md': '# A\n\nTwo.\n', 'b.md': '# B\n\nTwo.\n' });
    await pithIndex(docs, own);
    await poll('the notification', () => updated[0]);
    expect(updated).toEqual(['docs:///a.md']);
    await client.unsubscribeResource({ uri: 'docs:///a.md' });
  });

  it('are refused for documents that do not exist', async () => {
    await expect(client.subscribeResource({ uri: 'docs:///none.md' })).rejects.toThrow('Resource not found.');
  });
});
