import { existsSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite/driver.js';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, testFolder } from '../support/build-index.js';
import { SECRET } from '../support/builders.js';
import { outcomeOf } from '../support/call-results.js';
import { httpRequest, type RawResponse } from '../support/http-request.js';
import {
  type CallResult,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { describeLooks } from '../support/page-looks.js';
import { runPith } from '../support/run-pith.js';
import { ONE_OF_EACH, TRANSPORTS } from '../support/sites.js';
import { suiteClients } from '../support/suite-clients.js';
import { writeFiles } from '../support/write-files.js';

const KEYS = keysOf('pilot', 'clerk', 'ada', 'eve');
const OPERATOR = ['read' as const, 'operator' as const, 'approve' as const];
const PRINCIPALS = {
  pilot: { keys: [KEYS.pilot] },
  clerk: { keys: [KEYS.clerk], scope: { doc_tags: ['salaries'] } },
  ada: { keys: [KEYS.ada], permissions: OPERATOR },
  eve: { keys: [KEYS.eve], permissions: OPERATOR, scope: { doc_tags: ['salaries'] } },
};
type Name = keyof typeof PRINCIPALS;
type Json = Record<string, unknown>;

const folder = testFolder();
const index = folder.file('index.sqlite');
const docs = folder.file('docs');
const PAGES = {
  'sailing.md': '# Sailing\n\nSet the sails before you raise the anchor. The jib is set first.\n',
  'harbour.md':
    '# Harbour\n\nThe harbour office is open from nine to five. Moorings cost 12 coins a night.\n',
  'salaries/pay.md': '---\ndoc_tag: salaries\n---\n# Pay\n\nThe captain earns 9 coins a day.\n',
};
const ANSWER = 'The spinnaker halyard is replaced every second winter, by two riggers.';
const ASKED = 'How often is the spinnaker halyard replaced?';

const ENV = {
  PITH_QUESTIONS: 'on',
  PITH_QUESTIONS_REDACT: 'Falcon-*',
  PITH_SECRET: SECRET,
  MCP_TOOL_NAMES: 'dotted',
  PITH_ACCESS_FILE: folder.file('access.yaml'),
};
const STDIO = { ...ENV, PITH_ACCESS_FILE: '' };

let http: HttpProcess;
const headersOf = (who: Name) => ({ authorization: `Bearer ${KEYS[who]}` });
const connect = suiteClients(() => ({ index, url: http.url, env: STDIO, headers: headersOf('pilot') }));
const idOf = ({ structuredContent }: CallResult): string => String(structuredContent?.['diagnostic_id']);
const toolNames = async (client: TestClient) => (await client.listTools()).map(({ name }) => name);
const gaps = async (): Promise<Json[]> => {
  const { stdout, stderr, code } = await runPith(['gaps', '--json', '--index', index], { env: STDIO });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Json[];
};
const gapWith = async (id: string): Promise<Json> => (await gaps()).find(({ gap_id }) => gap_id === id) ?? {};
const gapAbout = async (word: string): Promise<Json> =>
  (await gaps()).find(({ examples }) => String(examples).includes(word)) ?? {};

const send = (who: Name, path: string, form?: URLSearchParams): Promise<RawResponse> => {
  const { href, origin } = new URL(path, http.url);
  const headers = { ...headersOf(who), accept: 'text/html' };
  if (!form) return httpRequest(href, { method: 'GET', headers });
  const sent = { ...headers, origin, 'content-type': 'application/x-www-form-urlencoded' };
  return httpRequest(href, { headers: sent, body: String(form) });
};

beforeAll(async () => {
  writeFiles(docs, PAGES);
  writeFiles(folder.path, { 'access.yaml': accessText(PRINCIPALS) });
  await buildIndex(docs, index);
  http = await startHttpProcess(index, ENV);
});
afterAll(async () => {
  await http.stop();
  folder.remove();
});

describe('a server that keeps no questions', () => {
  it('offers no feedback, asks for none, and stores nothing', async () => {
    const own = testFolder();
    await buildIndex(docs, own.file('index.sqlite'));
    const client = await connect('v1', 'stdio', {
      index: own.file('index.sqlite'),
      env: { PITH_QUESTIONS: 'off' },
    });
    expect(await toolNames(client)).not.toContain('kb.feedback');
    const answer = await client.call('kb.retrieve_evidence', { question: ASKED });
    expect(JSON.stringify(answer)).not.toContain('kb.feedback');
    expect(
      outcomeOf(await client.call('kb.feedback', { question_id: idOf(answer), answered: 'no' })),
    ).not.toBe('ok');
    await client.close();
    expect(existsSync(own.file('index.work.sqlite'))).toBe(false);
    own.remove();
  });
});

describe('visitors of a public search page', () => {
  it('leave no questions, and callers with a key do', async () => {
    const own = testFolder();
    const file = own.file('index.sqlite');
    await buildIndex(docs, file);
    const token = 'the-token-of-all-callers';
    const env = { PITH_QUESTIONS: 'on', PITH_SEARCH_PAGE: 'public', PITH_HTTP_TOKEN: token };
    const server = await startHttpProcess(file, env);
    const ask = async (words: string, headers: Record<string, string> = {}) => {
      const { href } = new URL(`/?q=${words}`, server.url);
      expect((await httpRequest(href, { method: 'GET', headers })).status).toBe(200);
    };
    await ask('Who+painted+the+figurehead');
    await ask('Who+painted+the+rudder', { authorization: `Bearer ${token}` });
    await server.stop();
    const { stdout } = await runPith(['gaps', '--json', '--index', file], { env: { PITH_QUESTIONS: 'on' } });
    expect(stdout).toContain('rudder');
    expect(stdout).not.toContain('figurehead');
    own.remove();
  });
});

describe('questions on the search page', () => {
  it('count as read on when a document is opened, and not when the answer is shown or loaded again', async () => {
    const own = testFolder();
    const file = own.file('index.sqlite');
    await buildIndex(docs, file);
    const server = await startHttpProcess(file, ENV);
    const open = async (path: string) => {
      const { href } = new URL(path, server.url);
      expect((await httpRequest(href, { method: 'GET', headers: headersOf('pilot') })).status).toBe(200);
    };
    const [first, second] = ['/?q=When+is+the+harbour+office+open', '/?q=Which+sails+are+set+first'];
    for (const path of [first, first, second, '/read/sailing.md']) await open(path);
    await server.stop();
    const database = openDatabase(own.file('index.work.sqlite'));
    const kept = database.prepare('SELECT question, read_on FROM question ORDER BY asked_at').all();
    database.close();
    expect(kept.map((row) => [row['question'], row['read_on']])).toEqual([
      ['When is the harbour office open', 0],
      ['When is the harbour office open', 0],
      ['Which sails are set first', 1],
    ]);
    own.remove();
  });
});

describe.each(TRANSPORTS)('feedback, %s over %s', (era, transport) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(era, transport);
  });

  it('is asked for with every answer, and kept', async () => {
    expect(await toolNames(client)).toContain('kb.feedback');
    const answer = await client.call('kb.retrieve_evidence', {
      question: `Is the bilge pump of ${era} ${transport} loud?`,
    });
    expect(answer.structuredContent?.['hint']).toContain(
      `call kb.feedback with question_id ${idOf(answer)}.`,
    );
    const said = await client.call('kb.feedback', {
      question_id: idOf(answer),
      answered: 'no',
      missing: `How loud the pump of ${era} ${transport} is, password=hunter22`,
    });
    expect(said.structuredContent).toEqual({ question_id: idOf(answer), answered: 'no' });
    const missing = (await gaps()).flatMap((gap) => gap['missing']);
    expect(missing).toContain(`How loud the pump of ${era} ${transport} is, password=[secret]`);
  });

  it('is refused for questions that are not kept', async () => {
    const said = await client.call('kb.feedback', {
      question_id: '6f1c1f0e-58a3-4b0e-9c1e-6a0d7d0e4a11',
      answered: 'yes',
    });
    expect(outcomeOf(said)).toBe('question_not_found');
  });

  it.each([
    ['a longer text', { missing: 'x'.repeat(501) }],
    ['another word', { answered: 'maybe' }],
    ['an id that is none', { question_id: 'x' }],
  ])('is refused with %s', async (_, parts) => {
    const given = { question_id: '6f1c1f0e-58a3-4b0e-9c1e-6a0d7d0e4a11', answered: 'yes', ...parts };
    expect(outcomeOf(await client.call('kb.feedback', given))).toBe('invalid_input');
  });
});

describe('feedback of others', () => {
  it('is refused', async () => {
    const pilot = await connect('v2', 'http');
    const clerk = await connect('v2', 'http', { headers: headersOf('clerk') });
    const answer = await pilot.call('kb.retrieve_evidence', { question: 'Where is the galley?' });
    const said = await clerk.call('kb.feedback', { question_id: idOf(answer), answered: 'yes' });
    expect(outcomeOf(said)).toBe('question_not_found');
  });
});

describe.each(ONE_OF_EACH)('questions, %s over %s', (era, transport) => {
  it('are kept without secrets and what the operator lists', async () => {
    const client = await connect(era, transport);
    const answer = await client.call('kb.retrieve_evidence', {
      question: `Why does falcon-7 of ${era} refuse sk-abcdefghijklmnop1234?`,
      keywords: ['Falcon-9'],
    });
    await client.call('kb.feedback', { question_id: idOf(answer), answered: 'no' });
    const kept = JSON.stringify(await gaps());
    expect(kept).toContain(`Why does [redacted] of ${era} refuse [secret]?`);
    expect(kept).not.toMatch(/falcon-|abcdefghijklmnop/i);
  });
});

describe('a gap', () => {
  let page: string;
  let id: string;
  beforeAll(async () => {
    const client = await connect('v2', 'http');
    for (const question of [ASKED, 'How often must the spinnaker halyard be replaced?']) {
      const answer = await client.call('kb.retrieve_evidence', { question });
      await client.call('kb.feedback', { question_id: idOf(answer), answered: 'no' });
    }
    id = String((await gapAbout('spinnaker'))['gap_id']);
  });

  it('has the questions about one subject', async () => {
    expect(await gapAbout('spinnaker')).toMatchObject({ state: 'open', asks: 2, answer: null });
  });

  it('is on the page of operators, who change it with the form alone', async () => {
    page = `/admin/gaps/${id}`;
    expect((await send('ada', '/admin/gaps')).body).toContain(`href="${page}"`);
    const { body } = await send('ada', page);
    expect(body).toContain(ASKED);
    const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const forged = await send('ada', page, new URLSearchParams({ token: '1.a', action: 'written' }));
    expect(forged.status).toBe(403);
    expect(await gapAbout('spinnaker')).toMatchObject({ state: 'open' });
    const changed = await send('ada', page, new URLSearchParams({ token, action: 'written' }));
    expect(changed.status).toBe(303);
    expect(await gapAbout('spinnaker')).toMatchObject({ state: 'written' });
  });

  it.each([
    ['json', /^\[/],
    ['csv', /^"?gap_id/],
    ['markdown', /^## /m],
  ])('is exported as %s', async (format, begin) => {
    const { body, headers } = await send('ada', `/admin/gaps/export/${format}?state=written`);
    expect(body).toMatch(begin);
    expect(body).toContain('spinnaker');
    expect(headers['content-disposition']).toContain('attachment');
  });

  it('is not shown to callers and to operators of other documents', async () => {
    expect((await send('pilot', '/admin/gaps')).status).toBe(403);
    expect((await send('eve', '/admin/gaps')).body).not.toContain('spinnaker');
    expect((await send('eve', page)).status).toBe(404);
    expect((await send('eve', '/admin/gaps/export/json')).body).not.toContain('spinnaker');
  });

  it('is among what is used, for operators who may see it', async () => {
    expect((await send('pilot', '/admin/gaps/usage')).status).toBe(403);
    const mine = await send('ada', '/admin/gaps/usage');
    expect([mine.status, mine.body.includes('spinnaker'), mine.body.includes('harbour.md')]).toEqual([
      ...[200, true, true],
    ]);
    const others = (await send('eve', '/admin/gaps/usage')).body;
    expect([others.includes('spinnaker'), others.includes('harbour.md')]).toEqual([false, false]);
  });

  it('is apart from the questions of callers who see other documents', async () => {
    const clerk = await connect('v2', 'http', { headers: headersOf('clerk') });
    const answer = await clerk.call('kb.retrieve_evidence', { question: ASKED });
    await clerk.call('kb.feedback', { question_id: idOf(answer), answered: 'no' });
    const found = (await gaps()).filter(({ examples }) => String(examples).includes(ASKED));
    expect(found.map(({ asks }) => asks).sort()).toEqual([1, 2]);
    expect((await send('eve', '/admin/gaps')).body).toContain('spinnaker');
  });

  it('stays open when a page about something else is added', async () => {
    writeFiles(docs, {
      'flags.md': '# Flags\n\nThe blue pennant is hoisted when the pilot comes aboard.\n',
    });
    await buildIndex(docs, index);
    expect(await gapWith(id)).toMatchObject({ state: 'written', answer: null });
  });

  it('closes with the quote when a page answers it, and no other gap does', async () => {
    const before = (await gaps()).filter(({ state }) => state === 'answered');
    writeFiles(docs, { 'rigging.md': `# Rigging\n\n## Halyards\n\n${ANSWER}\n` });
    await buildIndex(docs, index);
    const closed = (await gaps()).filter(({ state }) => state === 'answered');
    expect(before).toEqual([]);
    expect(closed).toMatchObject([
      { gap_id: id, answer: { section_id: 'rigging.md#halyards', quote: expect.stringContaining(ANSWER) } },
    ]);
  });

  it('becomes a claim, once, with the quote as its evidence', async () => {
    const claim = () => runPith(['gaps', 'claim', id, '--index', index], { env: STDIO });
    const [first, second] = [await claim(), await claim()];
    expect(first.stdout).toMatch(/^Claim [0-9a-f]{32}\n$/);
    expect(second.stdout).toBe(first.stdout);
  });

  describeLooks(['gaps', 'gap', 'claims', 'corpora', 'pointers'], (name) => ({
    url: new URL(name === 'gap' ? page : `/admin/${name}`, http.url).href,
    password: KEYS.ada,
  }));

  it('opens again when the text is gone', async () => {
    writeFiles(docs, { 'rigging.md': '# Rigging\n\nNothing is known yet.\n' });
    await buildIndex(docs, index);
    expect(await gapWith(id)).toMatchObject({ state: 'open', answer: null });
  });
});

describe('pith gaps', () => {
  it('says what is wrong with an id or a state', async () => {
    const mark = (...args: string[]) => runPith(['gaps', 'mark', ...args, '--index', index], { env: STDIO });
    expect(await mark('unknown', 'open')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No gap'),
    });
    expect(await mark('unknown', 'checked')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('written'),
    });
  });

  it('shows what is used', async () => {
    const usage = (...args: string[]) =>
      runPith(['gaps', 'usage', ...args, '--index', index], { env: STDIO });
    const facts = JSON.parse((await usage('--json')).stdout) as Json;
    const paths = ['flags.md', 'harbour.md', 'rigging.md', 'sailing.md', 'salaries/pay.md'];
    expect(facts).toMatchObject({ answered: 0, unused: { count: paths.length, paths } });
    expect(facts['words']).toContainEqual(expect.objectContaining({ word: 'spinnaker', synonyms: [] }));
    expect((await usage()).stdout).toContain('Most asked:');
    expect(JSON.parse((await usage('--json', '--since', '2100-01-01')).stdout)).toMatchObject({ asked: 0 });
  });

  it('lists nothing before this time', async () => {
    const run = await runPith(['gaps', '--since', '2100-01-01', '--index', index], { env: STDIO });
    expect(run.stdout).toBe('No gap matches.\n');
  });
});

describe('the start of a server', () => {
  it('is refused if a summary is wanted and there is no webhook', async () => {
    const env = { ...STDIO, PITH_QUESTIONS_SUMMARY: 'weekly' };
    const { code, stderr } = await runPith(['stdio', '--index', index], { env });
    expect(code).not.toBe(0);
    expect(stderr).toContain('PITH_QUESTIONS_SUMMARY=weekly needs PITH_APPROVAL_WEBHOOK_URL');
  });

  it.each([
    ['', /is on: questions are kept for 90 days in .+index\.work\.sqlite\.\n/g],
    ['a-token-of-everybody', /index\.work\.sqlite\. Calls with PITH_HTTP_TOKEN stand alone unless/g],
  ])('says that questions are kept, in one line, with the token "%s"', async (token, line) => {
    const { stderr } = await runPith(['stdio', '--index', index], {
      env: { ...STDIO, PITH_HTTP_TOKEN: token },
      onStart: (child) => void child.stdin?.end(),
    });
    expect(stderr.match(line)).toHaveLength(1);
  });
});
