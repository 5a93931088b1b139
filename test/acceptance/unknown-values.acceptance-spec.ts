import { buildIndex, testFolder } from '../support/build-index.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
let all: TestClient;
let guides: TestClient;

beforeAll(async () => {
  writeFiles(folder.file('docs'), {
    'guides/quay.md': '# Quays\n\nA quay is long.\n',
    'vaults/gold.md': '# Gold\n\nGold is kept in a vault.\n',
  });
  const index = folder.file('index.sqlite');
  await buildIndex(folder.file('docs'), index);
  const stdio = { era: 'v1', transport: 'stdio', index } as const;
  all = await connectClient(stdio);
  guides = await connectClient({ ...stdio, env: { PITH_DOC_TAGS: 'guides' } });
}, 60_000);

afterAll(async () => {
  await Promise.all([all.close(), guides.close()]);
  folder.remove();
});

async function hintOf(client: TestClient, tool: string, input: object): Promise<unknown> {
  const words = tool === 'kb.search' ? { query: 'quay' } : { question: 'quay' };
  return (await client.call(tool, { ...words, ...input })).structuredContent?.['hint'];
}

describe('a value that no visible document has', () => {
  it.each(['kb.search', 'kb.retrieve_evidence'])('is named by %s, with the nearest one', async (tool) => {
    const tag = 'No document has the doc_tag "guide". Nearest: "guides".';
    expect(await hintOf(all, tool, { filters: { doc_tag: ['guide'] } })).toBe(tag);
    expect(await hintOf(all, tool, { scope: { doc_tags: ['guide'] } })).toBe(tag);
    expect(await hintOf(all, tool, { filters: { path_prefix: 'guide/' } })).toBe(
      'No path begins with "guide/". Nearest: "guides/".',
    );
  });

  it('is not named if something was found', async () => {
    expect(await hintOf(all, 'kb.search', { filters: { doc_tag: ['guides', 'guide'] } })).toBeUndefined();
  });

  it('is named by get_doc with the nearest document', async () => {
    const { structuredContent } = await all.call('get_doc', { chunk_id: 'guides/quey.md#long' });
    expect(structuredContent).toMatchObject({ error: { details: { nearest: 'guides/quay.md' } } });
  });

  it('can be one of a document outside of the scope, which looks the same', async () => {
    const [hidden, missing] = [
      await hintOf(guides, 'kb.search', { filters: { doc_tag: ['vaults'], path_prefix: 'vaults/' } }),
      await hintOf(guides, 'kb.search', { filters: { doc_tag: ['xxxxxx'], path_prefix: 'xxxxxx/' } }),
    ];
    expect(missing).toBe('No document has the doc_tag "xxxxxx". No path begins with "xxxxxx/".');
    expect(String(hidden).replaceAll('vaults', 'xxxxxx')).toBe(missing);
  });
});
