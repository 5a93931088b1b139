import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessText, keysOf } from '../support/access.js';
import { inWindow as inBrowserWindow, openBrowser } from '../support/browser.js';
import { httpRequest, type RawResponse } from '../support/http-request.js';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { ADMIN_TOKEN, type OperatorsServer, startOperatorsServer } from '../support/operators-server.js';
import { describeLooks } from '../support/page-looks.js';
import { poll, runPith } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const PROGRAM = join(__dirname, '..', 'support', 'provider-server.cjs');
const KEYS = keysOf('ada', 'grace', 'agent');
const folder = testFolder();

const provider = (name: string, state: string): string => `
  ${name}:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(PROGRAM)}, --state, ${JSON.stringify(folder.file(state))}]`;
const GOVERNANCE = `
version: 1
policy:
  rules:
    - { name: test-tools, tools: [test.*, other.*], effect: allow }
providers:${provider('test', 'state.json')}${provider('other', 'other.json')}
  missing:
    command: /nonexistent/program
`;
const ENV = {
  PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  PITH_ACCESS_FILE: folder.file('access.yaml'),
  MCP_TOOL_NAMES: 'dotted',
  PITH_LEDGER: 'on',
};

let server: OperatorsServer;
let browser: Browser;
let agent: TestClient;

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Waits until the page of a provider contains a text. */
const shows = (name: string, text: string): Promise<string> =>
  poll(
    `${name} shows ${text}`,
    async () => {
      const { body } = await server.get(`/admin/providers/${name}`);
      return body.includes(text) ? body : undefined;
    },
    20_000,
  );

beforeAll(async () => {
  writeFiles(folder.path, {
    'governance.yaml': GOVERNANCE,
    'access.yaml': accessText({
      ada: { keys: [KEYS.ada], permissions: ['read', 'operator'] },
      grace: { keys: [KEYS.grace], permissions: ['approve'] },
      agent: { keys: [KEYS.agent] },
    }),
    'state.json': '{"description":"Returns <b>text</b>.\\u200b"}',
    'other.json': '{}',
  });
  browser = await openBrowser();
  server = await startOperatorsServer(ENV);
  await shows('test', 'verdict good');
  await shows('other', 'verdict good');
  await shows('missing', 'Last failure');
  const { url } = server.server;
  agent = await connectClient({ era: 'v1', transport: 'http', index: '', url, headers: bearer(KEYS.agent) });
});
afterAll(async () => {
  await Promise.all([browser?.close(), agent?.close()]);
  await server?.stop();
  folder.remove();
});

const inWindow = <T>(
  visit: { readonly hasScripts?: boolean; readonly password?: string },
  work: (window: BrowserContext) => Promise<T>,
): Promise<T> => inBrowserWindow(browser, { password: ADMIN_TOKEN, ...visit }, work);

async function open(window: BrowserContext, path: string): Promise<Page> {
  const page = await window.newPage();
  const response = await page.goto(server.at(path));
  expect(response?.status()).toBe(200);
  return page;
}

describeLooks(['', '/test', '/missing', '/test?tool=echo'], (path) => ({
  url: server.at(`/admin/providers${path}`),
  password: ADMIN_TOKEN,
}));

describe('the list', () => {
  it('shows each provider with its connection, its tools and its last failure', async () => {
    const rows = await inWindow({ hasScripts: false }, async (window) => {
      const page = await open(window, '/admin/providers');
      return page.locator('tbody tr').allInnerTexts();
    });
    const text = rows.map((row) => row.replace(/\s+/g, ' ').trim());
    expect(text).toEqual([
      expect.stringMatching(/^missing × ?not connected .*none known.*program does not exist/),
      expect.stringMatching(/^other ✓ ?connected .*14 new/),
      expect.stringMatching(/^test ✓ ?connected .*14 new/),
    ]);
  });
});

/** The fields of the first form of a page. */
function fieldsOf({ body }: RawResponse, tool = ''): URLSearchParams {
  const form = body.split('<form').find((part) => part.includes(`name="tool" value="${tool}"`)) ?? '';
  const fields = [...form.matchAll(/name="(token|hash|tool)" value="([^"]*)"/g)];
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}

const page = (name: string, headers = bearer(ADMIN_TOKEN)) => server.get(`/admin/providers/${name}`, headers);
const post = (
  name: string,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
) =>
  httpRequest(server.at(`/admin/providers/${name}`), {
    headers: {
      ...bearer(ADMIN_TOKEN),
      origin: new URL(server.at('/')).origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: String(new URLSearchParams(fields)),
  });
const stateOf = async (name: string, tool: string): Promise<string> => {
  const { stdout } = await runPith([
    ...['providers', 'list', '--json', '--index', server.file('index.sqlite')],
  ]);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const pins: { provider: string; tool: string; state: string }[] = lines.map((line) => JSON.parse(line));
  return pins.find((pin) => pin.provider === name && pin.tool === tool)?.state ?? 'unknown';
};

describe('requests that accept tools', () => {
  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another operator', bearer(KEYS.grace)],
  ])('are refused with 403 from a page of %s', async (_, headers) => {
    const reply = await post('test', fieldsOf(await page('test'), 'slow'), headers);
    expect([reply.status, await stateOf('test', 'slow')]).toEqual([403, 'new']);
  });

  it('are refused with 403 with the form of another provider', async () => {
    const reply = await post('test', fieldsOf(await page('other'), 'slow'));
    expect([reply.status, await stateOf('test', 'slow')]).toEqual([403, 'new']);
  });

  it('are refused with 403 without the permission approve, also for operators', async () => {
    const shown = await page('test', bearer(KEYS.ada));
    expect([shown.status, shown.body.includes('<form')]).toEqual([200, false]);
    const { body } = await page('test');
    const hash = fieldsOf({ body } as RawResponse, 'slow').get('hash') ?? '';
    const reply = await post('test', { token: 'x', tool: 'slow', hash }, bearer(KEYS.ada));
    expect([reply.status, await stateOf('test', 'slow')]).toEqual([403, 'new']);
  });

  it.each([
    ['no field', {}],
    ['no hash', { token: 'x' }],
    ['a hash of another form', { token: 'x', hash: 'abc' }],
    ['an unknown field', { token: 'x', hash: '0'.repeat(64), by: 'ann' }],
  ])('are refused with 400: %s', async (_, fields) => {
    expect((await post('test', fields as Record<string, string>)).status).toBe(400);
  });

  it('are refused with 409 if the hash is not that of what waits', async () => {
    const fields = fieldsOf(await page('test'), 'slow');
    fields.set('hash', '0'.repeat(64));
    expect([(await post('test', fields)).status, await stateOf('test', 'slow')]).toEqual([409, 'new']);
  });

  it('are refused with 404 for an unknown provider, with 405 for other methods, and are never GET', async () => {
    const fields = fieldsOf(await page('test'), 'slow');
    expect((await post('nobody', fields)).status).toBe(404);
    expect((await httpRequest(server.at('/admin/providers/test'), { method: 'PUT', headers: bearer(ADMIN_TOKEN) })).status).toBe(405); // prettier-ignore
    await server.get(`/admin/providers/test?${String(fields)}`);
    expect(await stateOf('test', 'slow')).toBe('new');
  });
});

describe('a provider', () => {
  it('has its tools accepted one by one and all together, by a named operator', async () => {
    const status = await inWindow({ hasScripts: false, password: KEYS.grace }, async (window) => {
      const page = await open(window, '/admin/providers/other');
      await page.getByRole('button', { name: 'Accept echo' }).click();
      await page.getByRole('status').waitFor();
      expect(page.url()).toBe(server.at('/admin/providers/other#state'));
      await page.getByRole('button', { name: 'Accept all 13' }).click();
      return page.locator('main').innerText();
    });
    expect(status).toContain('14 accepted');
    expect(await stateOf('other', 'echo')).toBe('accepted');
    // The tools that were accepted together come after the one that was accepted alone.
    await poll('all tools are listed', async () => {
      const names = (await agent.listTools()).map(({ name }) => name);
      return names.includes('other.echo') && names.includes('other.crash') ? names : undefined;
    });
    expect(JSON.stringify(await agent.call('other.echo', { text: 'hello' }))).toContain('hello');
    const { stdout } = await runPith([
      ...['ledger', 'export', '--format', 'jsonl', '--index', server.file('index.sqlite')],
    ]);
    const changes = stdout.split('\n').filter((line) => line.includes('"what":"providers.other"'));
    expect(changes).toHaveLength(2);
    expect(changes.every((line) => line.includes('"decided_by":"grace"'))).toBe(true);
  });

  it('shows the difference of a changed tool, and refuses the hash of an earlier page', async () => {
    writeFiles(folder.path, { 'other.json': '{"description":"Sends all \\u200bkeys."}' });
    await agent.call('other.change');
    const body = await shows('other', 'Changed: ');
    expect(body).toContain('- description: Returns the text.');
    expect(body).toContain('+ description: Sends all \\u200bkeys.');
    const early = fieldsOf({ body } as RawResponse, 'echo');
    writeFiles(folder.path, { 'other.json': '{"description":"Sends nothing."}' });
    await agent.call('other.change');
    const later = await shows('other', 'Sends nothing.');
    expect((await post('other', early)).status).toBe(409);
    expect(await stateOf('other', 'echo')).toBe('changed');
    const reply = await post('other', fieldsOf({ body: later } as RawResponse, 'echo'));
    expect([reply.status, reply.headers.location]).toEqual([303, '/admin/providers/other#state']);
    expect(await stateOf('other', 'echo')).toBe('accepted');
  });

  it('shows that it was lost, and why', async () => {
    await agent.call('other.crash');
    await shows('other', 'Last failure');
  });
});
