import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { connectClient } from '../support/mcp-clients.js';
import { runPith } from '../support/processes.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SECRET = { PITH_SECRET: 's'.repeat(40) };

/** Output of `pith ledger …` about the calls of one server. */
const ledger = async (...args: string[]): Promise<string> =>
  (await runPith(['ledger', ...args, '--index', index], { env: SECRET })).stdout;

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  const env = { ...SECRET, PITH_LEDGER: 'on', PITH_LEDGER_ARGUMENTS: 'on', SURR_ENABLE_INNER_VOICE: '1' };
  const client = await connectClient({ era: 'v2', transport: 'stdio', index, env });
  await client.call('kb.search', {
    query: 'waiting list',
    top_k: '3',
    keywords: '["berth"]',
    cursor: null,
    scope: null,
  });
  await client.call('kb.search', { query: `sk-${'a'.repeat(30)}` });
  await client.call('inner_voice.retrieve', { query: 'how the harbour felt' });
  await client.close();
});
afterAll(() => folder.remove());

it('records the arguments after defaults, without secrets and without texts of memory queries', async () => {
  const text = await ledger('export');
  const events = text
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => Object(JSON.parse(line))['event'])
    .filter(({ type }) => type === 'tool.call.started');
  expect(events.map(({ tool }) => tool)).toEqual(['kb.search', 'kb.search', 'inner_voice.retrieve']);
  expect(events[0]?.['arguments']).toContain('"query":"waiting list"');
  expect(events[0]?.['arguments']).toMatch(/"keywords":\["berth"\].*"top_k":3}/);
  expect(events[1]?.['arguments']).toContain('"query":"[redacted]"');
  expect(events[2]?.['arguments']).toContain('"query":"[redacted]"');
  expect(text).not.toMatch(/sk-aaa|harbour felt/);
});

it('shows them in CSV and for the run', async () => {
  const csv = await ledger('export', '--format', 'csv');
  expect(csv).toContain('""query"":""waiting list""');
  const [run = ''] = /session:[\w-]+/.exec(csv) ?? [];
  expect(await ledger('show', run)).toContain('"query":"waiting list"');
});

it('verifies', async () => {
  expect(await ledger('verify')).toContain('is intact');
});
