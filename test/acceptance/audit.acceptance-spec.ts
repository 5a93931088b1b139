import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { accessText, keysOf } from '../support/access.js';
import { buildIndex, FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { poll } from '../support/processes.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const file = folder.file('audit.jsonl');
const KEYS = keysOf('guest', 'ada', 'stranger');
const GOVERNANCE = `
version: 1
policy: { rules: [{ name: no-graph, principals: [guest], tools: [graph.*], effect: deny }] }
`;
let server: HttpProcess;

beforeAll(async () => {
  const index = folder.file('index.sqlite');
  await buildIndex(FIXTURE_CORPUS, index);
  writeFiles(folder.path, {
    'governance.yaml': GOVERNANCE,
    'access.yaml': accessText({
      guest: { keys: [KEYS.guest] },
      ada: { keys: [KEYS.ada], permissions: ['read', 'operator', 'approve'] },
    }),
  });
  server = await startHttpProcess(index, {
    PITH_AUDIT_FILE: file,
    PITH_ACCESS_FILE: folder.file('access.yaml'),
    PITH_GOVERNANCE_FILE: folder.file('governance.yaml'),
  });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

interface Sent {
  readonly path?: string;
  readonly key?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

const linesNow = (): string[] =>
  readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1);

/** Sends a request. @returns the line that it adds to the file, without its time */
async function lineOf({ path = '/mcp', key, body = '{}', headers = {} }: Sent): Promise<unknown> {
  const before = linesNow().length;
  await httpRequest(new URL(path, server.url).href, {
    headers: { ...MCP_HEADERS, ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    body,
  });
  // A line is written when the reply has been sent.
  const [line = '', ...others] = await poll('a line', () => {
    const lines = linesNow().slice(before);
    return lines.length > 0 ? lines : undefined;
  });
  expect(others).toEqual([]);
  const { at, ...event } = JSON.parse(line) as Record<string, unknown>;
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  return event;
}

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

const AT = { address: '127.0.0.1', method: 'POST' };

describe('the audit file', () => {
  it.each<[string, Sent, object]>([
    ['a request without a key', {}, { principal: null, path: '/mcp', status: 401 }],
    ['an unknown key', { key: KEYS.stranger }, { principal: null, path: '/mcp', status: 401 }],
    [
      'a page of another origin',
      { key: KEYS.guest, headers: { origin: 'http://evil.example' } },
      { principal: 'guest', path: '/mcp', status: 403 },
    ],
    [
      'a caller without the permission of an operator',
      { key: KEYS.guest, path: '/admin/health?token=secret-in-query' },
      { principal: 'guest', path: '/admin/health', status: 403 },
    ],
  ])('has a line for %s', async (_what, sent, line) => {
    expect(await lineOf(sent)).toEqual({ event: 'request_refused', ...AT, ...line });
  });

  it('has a line for a call that the policy or the scope refuses, without its arguments', async () => {
    const facts = { event: 'call_refused', call: expect.any(String), principal: 'guest', agent: 'default' };
    const args = { node_ids: ['guides.md'] };
    expect(await lineOf({ key: KEYS.guest, body: call('graph.expand', args) })).toEqual({
      ...facts,
      method: 'tools/call',
      tool: 'graph.expand',
      reason: expect.any(String),
      rule: 'no-graph',
    });
    const outside = { query: 'berth', scope: { project_id: 'another' } };
    expect(await lineOf({ key: KEYS.guest, body: call('kb.search', outside) })).toEqual({
      ...facts,
      method: 'tools/call',
      tool: 'kb.search',
      reason: 'project_mismatch',
      rule: null,
    });
  });

  it('has a line for what an operator sends, also if it fails', async () => {
    const path = '/admin/approvals/unknown';
    expect(await lineOf({ key: KEYS.ada, path })).toEqual(
      expect.objectContaining({ ...AT, principal: 'ada', path }),
    );
  });

  it('has a line for what an operator sends without waiting for the reply', async () => {
    const { hostname, port } = new URL(server.url);
    const path = `/admin/approvals/${randomUUID()}`;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const lines = ['Host: localhost', `Authorization: Bearer ${KEYS.ada}`, 'Content-Length: 0'];
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
    await poll('a line', () => readFileSync(file, 'utf8').includes(path) || undefined);
  });

  it('has no line for what a stranger sends elsewhere', async () => {
    const before = readFileSync(file, 'utf8');
    for (const path of ['/nothing', '/admin.php']) {
      const { status } = await httpRequest(new URL(path, server.url).href, { body: '{}' });
      expect(status).toBe(404);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('has a line for files that are read again', async () => {
    const before = linesNow().length;
    server.child.kill('SIGHUP');
    await poll('a line', () => linesNow().length > before || undefined);
    expect(linesNow().at(-1)).toMatch(/"event":"configuration_read","files":1,"result":"used"\}$/);
  });

  it('contains no key, no query string and no argument', () => {
    const text = readFileSync(file, 'utf8');
    for (const secret of [...Object.values(KEYS), 'secret-in-query', 'guides.md', 'berth'])
      expect(text).not.toContain(secret);
  });
});
