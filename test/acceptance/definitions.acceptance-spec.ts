import { existsSync } from 'node:fs';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { connectClient } from '../support/mcp-clients.js';
import { runPith } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const store = folder.file('index.governance.sqlite');
const env = { PITH_GOVERNANCE_FILE: folder.file('g.yaml') };

/** A server that starts and ends. */
async function serve(settings: Readonly<Record<string, string>>): Promise<void> {
  const client = await connectClient({ era: 'v2', transport: 'stdio', index, env: settings });
  await client.listTools();
  await client.close();
}

const history = (...args: string[]) => runPith(['tools', 'history', ...args, '--index', index], { env });

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, { 'g.yaml': 'version: 1\n' });
});
afterAll(() => folder.remove());

it('stores nothing and makes no file without governance', async () => {
  await serve({});
  expect(existsSync(store)).toBe(false);
});

it('says that nothing is stored before the first start, and makes no file', async () => {
  const { code, stderr } = await history('kb.search');
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('There is no governance store')]);
  expect(existsSync(store)).toBe(false);
});

it('prints the definitions with which servers started', async () => {
  await serve(env);
  const { code, stdout } = await history('kb_search');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^version 1, provider pith, \S+Z to \S+Z, schema hash [0-9a-f]{64}\n$/);
});

it('prints one version with its schemas', async () => {
  const { stdout } = await history('kb.search', '1');
  expect(stdout).toContain('"input_schema": {');
  const json = await history('kb.search', '1', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: 'kb.search',
    version: '1',
    safety: 'read',
    annotations: { readOnlyHint: true },
    output_schema: { type: 'object' },
  });
});

it('refuses a version that no server had', async () => {
  const { code, stderr } = await history('kb.search', '99');
  expect([code === 0, stderr]).toEqual([
    false,
    expect.stringContaining('No definition of kb.search version 99 is stored.'),
  ]);
});
