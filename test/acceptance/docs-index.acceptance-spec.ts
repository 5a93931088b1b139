import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../support/call-results.js';
import { outcomeOf, refusalOf } from '../support/failures.js';
import { copyOfAnotherVersion, damagedCopy, foreignDatabase, holdIndex } from '../support/index-files.js';
import type { TestClient } from '../support/mcp-clients.js';
import { pithIndex, poll, timed } from '../support/processes.js';
import { SDK_CORPUS } from '../support/sdk-corpus.js';
import { openSite, type Site, V1 } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
/** The index file, which appears and disappears while servers run. */
const changing = folder.file('changing.sqlite');
const CHUNK = { chunk_id: 'guides/retries.md#jitter' };

let site: Site;

beforeAll(async () => {
  writeFiles(folder.file('docs'), SDK_CORPUS);
  await pithIndex(folder.file('docs'), index);
  copyFileSync(index, changing);
  // Clients of the 2026 era may keep lists for a minute.
  site = await openSite(changing, { transports: V1 });
}, 40_000);

afterAll(async () => {
  await site?.stop();
  folder.remove();
});

/** Replaces the file at a path, as a move does. */
function place(make: (file: string) => void): void {
  const fresh = folder.file('fresh.sqlite');
  rmSync(fresh, { force: true });
  make(fresh);
  renameSync(fresh, changing);
}

/** Facts about the corpus in lists: the keys of the taxonomy, prompts and documents. */
async function listed(client: TestClient): Promise<unknown> {
  const tool = (await client.listTools()).find(({ name }) => name === 'search_docs');
  const { properties } = tool?.['inputSchema'] as { properties: object };
  return {
    keys: Object.keys(properties).slice(3),
    prompts: (await client.listPrompts()).map(({ name }) => name),
    resources: (await client.listResources()).resources.map(({ name }) => name),
  };
}

const WHOLE = {
  keys: ['language', 'scope'],
  prompts: ['explain'],
  resources: ['guides/retries.md', 'guides/with space.md'],
};
const NOTHING = { keys: [], prompts: [], resources: [] };

describe.each(V1)('the docs tools of a %s client over %s, while the index', (era, transport) => {
  it.each([
    ['is gone', 'index_missing', (file: string) => mkdirSync(dirname(file), { recursive: true })],
    [
      'is no database',
      'index_incompatible',
      (file: string) => writeFileSync(file, 'A letter.\n'.repeat(900)),
    ],
    ['is empty', 'index_missing', (file: string) => writeFileSync(file, '')],
    ['is that of another version', 'index_incompatible', (file: string) => copyOfAnotherVersion(index, file)],
    ['is damaged', 'index_incompatible', (file: string) => damagedCopy(index, file)],
    ['is a database of somebody else', 'index_incompatible', foreignDatabase],
  ])(
    '%s: fail with %s and lists are empty; all works again without a restart',
    async (what, reason, make) => {
      const client = site.client(era, transport);
      if (what === 'is gone') rmSync(changing, { force: true });
      else place(make);
      const calls = [
        await client.call('search_docs', { query: 'jitter' }),
        await client.call('get_doc', CHUNK),
      ];
      const read = await refusalOf(client.readResource('docs:///guides/retries.md'));
      const filled = await refusalOf(client.getPrompt('explain', { topic: 'x' }));
      const empty = await listed(client);
      place((file) => copyFileSync(index, file));
      const found = await client.call('search_docs', { query: 'jitter', language: 'go' });
      expect(calls.map((call) => [outcomeOf(call), reasonOf(call)])).toEqual(
        calls.map(() => ['BACKEND_UNAVAILABLE', reason]),
      );
      expect([read.data, filled.data]).toMatchObject([
        { code: 'BACKEND_UNAVAILABLE', details: { reason } },
        { code: 'BACKEND_UNAVAILABLE', details: { reason } },
      ]);
      expect(empty).toEqual(NOTHING);
      expect(outcomeOf(found)).toBe('ok');
      expect(outcomeOf(await client.call('get_doc', CHUNK))).toBe('ok');
      expect(await listed(client)).toEqual(WHOLE);
    },
  );

  it('is locked by another process: time out, lists answer, and all works again afterwards', async () => {
    const held = folder.file(`held ${transport}.sqlite`);
    copyFileSync(index, held);
    const letGo = holdIndex(held);
    const hurried = await openSite(held, {
      transports: [[era, transport]],
      env: { PITH_CALL_TIMEOUT_MS: '150' },
    });
    const client = hurried.client(era, transport);
    const { value: call, ms } = await timed(client.call('search_docs', { query: 'jitter' }));
    const lists = await timed(Promise.all([client.listTools(), client.listPrompts()]));
    letGo();
    const after = await poll('an answer', async () => {
      const result = await client.call('get_doc', CHUNK);
      return result.isError ? undefined : result;
    });
    const whole = await listed(client);
    await hurried.stop();
    expect([outcomeOf(call), ms < 2_000]).toEqual(['TIMEOUT', true]);
    expect(lists.value[0].map(({ name }) => name)).toContain('search_docs');
    expect(lists.ms).toBeLessThan(2_500);
    expect([outcomeOf(after), whole]).toEqual(['ok', WHOLE]);
  });
});
