import { accessText, keysOf } from '../support/access.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { importRows } from '../support/memory-file.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const KEYS = keysOf('ada', 'bob', 'eve');
let server: HttpProcess;
let id = 0;

/** Sends a request. @returns the body without ids of calls, which are random */
async function ask(key: string, method: string, params: object = {}): Promise<string> {
  const headers = { ...MCP_HEADERS, authorization: `Bearer ${key}` };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const reply = await httpRequest(server.url, { headers, body });
  return reply.body.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
}

const call = (key: string, name: string, args: object) => ask(key, 'tools/call', { name, arguments: args });

/** Number of run names that bob has used. */
let runs = 0;

/** A call in the run that bob names next. */
const callInRun = (key: string) =>
  ask(key, 'tools/call', {
    name: 'kb.search',
    arguments: { query: 'tanker', page_size: 1 },
    _meta: { 'pith/run_id': `watch-${runs}` },
  });

/** Everything that bob can see. */
async function everything(): Promise<Record<string, string>> {
  const found = await call(KEYS.bob, 'kb.search', { query: 'waiting list', page_size: 2 });
  const inRun = await callInRun(KEYS.bob);
  runs++;
  const passage = /"passage_id":"([\w-]+)"/.exec(found)?.[1];
  const cursor = /"next_cursor":"([\w-]+)"/.exec(found)?.[1];
  return {
    found,
    inRun,
    next: await call(KEYS.bob, 'kb.search', { query: 'waiting list', page_size: 2, cursor }),
    excerpt: await call(KEYS.bob, 'kb.read_excerpt', { passage_id: passage }),
    evidence: await call(KEYS.bob, 'kb.retrieve_evidence', {
      question: 'Who is served first, a tanker or a freighter?',
    }),
    none: await call(KEYS.bob, 'kb.retrieve_evidence', { question: 'What does a submarine cost?' }),
    scope: await call(KEYS.bob, 'scope.describe', { documents: 50 }),
    docs: await call(KEYS.bob, 'search_docs', { query: 'waiting list' }),
    tools: await ask(KEYS.bob, 'tools/list'),
    resources: await ask(KEYS.bob, 'resources/list'),
    prompts: await ask(KEYS.bob, 'prompts/list'),
  };
}

/** What others do: the same questions, wrong ones, far too many, and guesses at what is bob's. */
const DEEDS: ((key: string, seen: Record<string, string>) => Promise<unknown>)[] = [
  (key) => call(key, 'kb.search', { query: 'waiting list', page_size: 2 }),
  (key) => call(key, 'kb.search', { query: `tanker freighter ${id++}` }),
  (key) => call(key, 'kb.retrieve_evidence', { question: 'What does a submarine cost?' }),
  (key) => call(key, 'kb.retrieve_evidence', { question: 'x'.repeat(5_000) }),
  (key) => call(key, 'kb.search', { query: 'a', scope: { project_id: 'other' } }),
  (key) => call(key, 'no.such_tool', {}),
  (key) => call(key, 'scope.describe', { documents: 50 }),
  (key) => callInRun(key),
  (key) => ask(key, 'no/such/method'),
  (key, { found }) =>
    call(key, 'kb.read_excerpt', { passage_id: /"passage_id":"([\w-]+)"/.exec(found ?? '')?.[1] }),
  (key, { found }) => ask(key, 'resources/read', { uri: /"scratch_uri":"([^"]+)"/.exec(found ?? '')?.[1] }),
  (key, { found }) =>
    call(key, 'kb.search', {
      query: 'waiting list',
      page_size: 2,
      cursor: /"next_cursor":"([\w-]+)"/.exec(found ?? '')?.[1],
    }),
];

beforeAll(async () => {
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, {
    'access.yaml': accessText({
      ada: { keys: [KEYS.ada], permissions: ['read', 'operator'] },
      bob: { keys: [KEYS.bob], scope: { doc_tags: ['guide'] }, memory: 'own' },
      eve: { keys: [KEYS.eve], scope: { doc_tags: ['reference'] }, limits: { calls_per_minute: 60 } },
    }),
  });
  const notes = ['ada', 'bob', 'eve'].map((name) => ({
    table: 'thoughts' as const,
    text: `${name} thinks that the tanker was late.`,
    tags: [name, 'tankers'],
  }));
  await importRows(notes, folder.file('notes.jsonl'), index);
  server = await startHttpProcess(index, {
    PITH_ACCESS_FILE: folder.file('access.yaml'),
    SURR_ENABLE_INNER_VOICE: '1',
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

describe('principals of one server', () => {
  it('get the same bytes, whatever the others do', async () => {
    const before = await everything();
    expect(before['found']).toContain('guides/waiting-list.mdx');
    const others = [KEYS.eve, KEYS.ada, 'pith_wrong'];
    for (let round = 0; round < 12; round++)
      await Promise.all(DEEDS.map((deed, i) => deed(others[(round + i) % others.length] ?? '', before)));
    expect(await everything()).toEqual(before);
  });

  it('do not pay for each other: one that calls too often waits, the others do not', async () => {
    const replies = await Promise.all(Array.from({ length: 80 }, () => call(KEYS.eve, 'scope.describe', {})));
    expect(replies.some((reply) => reply.includes('rate_limited'))).toBe(true);
    expect(await call(KEYS.bob, 'scope.describe', {})).not.toContain('BUDGET_EXCEEDED');
  });

  it.each([{}, { include_tags: ['tankers'] }, { include_tags: ['eve'] }, { include_private: true }])(
    'have a memory of their own: %j',
    async (more) => {
      const args = { query: 'the tanker was late', floor: 0.01, ...more };
      const own = await call(KEYS.bob, 'inner_voice.retrieve', args);
      expect(own).not.toMatch(/(?:ada|eve) thinks/);
      expect(own.includes('bob thinks')).toBe(more.include_tags?.[0] !== 'eve');
      expect(await call(KEYS.ada, 'inner_voice.retrieve', args)).toMatch(/(?:ada|eve) thinks/);
    },
  );

  it('can not read what is the others’', async () => {
    const seen = await everything();
    const replies = await Promise.all(DEEDS.slice(-3).map((deed) => deed(KEYS.ada, seen)));
    for (const reply of replies) {
      expect(reply).toMatch(/passage_not_found|cursor_invalid/);
      expect(reply).not.toContain('tanker');
    }
  });
});
