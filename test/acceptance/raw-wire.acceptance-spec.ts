import { connect } from 'node:net';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess, type TransportName } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { type RawWire, rawWire, rpcOf } from '../support/raw-wire.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const TOKEN = 'a-token-of-more-than-sixteen-characters';
const LATEST = '2025-11-25';
const MEBIBYTE = 1_048_576;

const request = (method: unknown, params?: unknown, id: unknown = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const PING = request('ping');
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

beforeAll(() => pithIndex(FIXTURE_CORPUS, index));

afterAll(() => folder.remove());

describe.each<TransportName>(['stdio', 'http'])('over %s', (transport) => {
  let wire: RawWire;

  beforeAll(async () => {
    wire = await rawWire(transport, index, { version: LATEST });
  });

  afterAll(() => wire.stop());

  it.each([
    ['no JSON', 'garbage'],
    ['cut short', '{"jsonrpc":"2.0","id":7,"method":'],
    ['after a byte order mark', `\ufeff${PING}`],
  ])('a message that is %s gets a parse error, and the next one is answered', async (_, text) => {
    expect(await wire.send(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
    expect(await wire.send(PING)).toMatchObject({ id: 7, result: {} });
  });

  it.each([
    ['an empty object', '{}', null],
    ['a number', '7', null],
    ['null', 'null', null],
    ['of another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
    ['without a method', '{"jsonrpc":"2.0","id":7}', 7],
    ['with an object for an id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['with null for an id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['with a number for a method', '{"jsonrpc":"2.0","id":7,"method":7}', 7],
  ])('a message that is %s is an invalid request', async (_, text, id) => {
    expect(await wire.send(text)).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
    expect(await wire.send(PING)).toMatchObject({ id: 7, result: {} });
  });

  it.each<[string, unknown]>([
    ['initialize', {}],
    ['initialize', { protocolVersion: 7, capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
    ['initialize', { protocolVersion: LATEST, capabilities: {}, clientInfo: 'x' }],
    ['tools/list', { cursor: 7 }],
    ['tools/list', [1]],
    ['tools/list', 'x'],
    ['tools/call', { arguments: {} }],
    ['tools/call', { name: 'kb.search', arguments: 'x' }],
    ['resources/list', { cursor: {} }],
    ['resources/templates/list', { cursor: 7 }],
    ['resources/read', {}],
    ['resources/read', { uri: 7 }],
    ['prompts/list', { cursor: [] }],
    ['prompts/get', {}],
    ['prompts/get', { name: 'x', arguments: { a: 7 } }],
  ])('wrong parameters of %s get error -32602 with an explanation: %j', async (method, params) => {
    const { id, error } = await wire.send(request(method, params));
    expect({ id, code: error?.code }).toEqual({ id: 7, code: -32602 });
    expect(error?.message).toMatch(/^[^{}[\]\n]{20,400}$/);
    expect(error?.message).toContain(method);
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'a cursor that %s did not issue is rejected',
    async (method) => {
      for (const cursor of ['junk', 'Zm9yZ2Vk', '']) {
        expect(await wire.send(request(method, { cursor }))).toMatchObject({
          error: { code: -32602, data: { code: 'INVALID_ARGUMENT', details: { reason: 'cursor_invalid' } } },
        });
      }
    },
  );

  it('a batch is rejected, because the protocol has none', async () => {
    expect(await wire.send(`[${PING},${request('tools/list')}]`)).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringMatching(/batch/i) },
    });
  });

  it('a message with 10,000 levels is rejected, and one with a normal number is not', async () => {
    const deep = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${nested(10_000)}}}`;
    expect(await wire.send(deep)).toMatchObject({
      error: { code: -32600, message: expect.stringMatching(/nest/) },
    });
    const text = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${JSON.stringify('['.repeat(500))}}}`;
    expect(await wire.send(text)).toMatchObject({ id: 7, result: {} });
    const shallow = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${nested(20)}}}`;
    expect(await wire.send(shallow)).toMatchObject({ id: 7, result: {} });
  });

  it.each<[string, unknown]>([
    ['tools/call', { name: 'n'.repeat(900_000), arguments: {} }],
    ['prompts/get', { name: 'n'.repeat(900_000) }],
    ['resources/read', { uri: `docs:///${'n'.repeat(900_000)}` }],
    ['n'.repeat(900_000), {}],
    [
      'initialize',
      { protocolVersion: 'n'.repeat(900_000), capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    ],
    ['tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': 'n'.repeat(900_000) } }],
    ['tools/list', { cursor: 'n'.repeat(900_000) }],
    ['kb.search', { name: 'kb.search', arguments: { ['n'.repeat(900_000)]: 1, query: 'x' } }],
  ])('a long name is not sent back: %.20s', async (method, params) => {
    const reply = await wire.send(request(method, params));
    expect(reply.id).toBe(7);
    expect(JSON.stringify(reply).length).toBeLessThan(3_000);
  });

  it('the error for an unknown tool contains its name if that looks like a tool name', async () => {
    const named = await wire.send(request('tools/call', { name: 'kb.fly', arguments: {} }));
    expect(named.error).toMatchObject({ code: -32602, message: expect.stringContaining('kb.fly') });
    const steered = await wire.send(request('tools/call', { name: 'kb\u001b[31m\n', arguments: {} }));
    expect(steered.error).toMatchObject({ code: -32602, message: expect.not.stringContaining('31m') });
  });
});

describe.each<TransportName>(['stdio', 'http'])('a batch of a client of 2025-03-26 over %s', (transport) => {
  it('is answered as a batch, and rejected if one of its messages is wrong', async () => {
    const wire = await rawWire(transport, index, { version: '2025-03-26' });
    const list = request('prompts/list', undefined, 'list');
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const answers = await wire.send(`[${PING},${note},${list}]`);
    const wrong = await wire.send(`[${PING},{"jsonrpc":"2.0","id":8}]`);
    const empty = await wire.send('[]');
    await wire.stop();
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 'list', result: { prompts: [] } },
    ]);
    expect([wrong, empty]).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }]);
  });
});

describe('a line of more than 10 MiB', () => {
  it('gets an error whether or not it is complete JSON, and the server continues to read', async () => {
    const wire = await rawWire('stdio', index, { version: LATEST });
    const long = await wire.send(request('ping', { x: 'x'.repeat(11 * MEBIBYTE) }));
    const after = await wire.send(PING);
    const again = await wire.send(`${'x'.repeat(25 * MEBIBYTE)}`);
    const last = await wire.send(PING);
    const fits = await wire.send(request('ping', { x: 'x'.repeat(9 * MEBIBYTE) }));
    await wire.stop();
    const tooLong = { id: null, error: { code: -32600, message: expect.stringContaining('10 MiB') } };
    const pong = { id: 7, result: {} };
    expect([long, after, again, last, fits]).toMatchObject([tooLong, pong, tooLong, pong, pong]);
  });
});

describe('an HTTP body', () => {
  let server: HttpProcess;
  const authorized = { ...MCP_HEADERS, authorization: `Bearer ${TOKEN}` };

  beforeAll(async () => {
    server = await startHttpProcess(index, { PITH_HTTP_TOKEN: TOKEN, PITH_HTTP_BODY_BYTES: '65536' });
  });

  afterAll(() => server.stop());

  it.each([
    ['garbage', 400, -32700],
    ['', 400, -32700],
    ['\u0000', 400, -32700],
    ['{}', 400, -32600],
    [`[${PING}]`, 200, null],
    [nested(10_000), 400, -32600],
    [request('ping', { x: 'x'.repeat(70_000) }), 413, -32600],
  ])('is answered with JSON-RPC: %.20j', async (body, status, code) => {
    const reply = await httpRequest(server.url, { headers: authorized, body });
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    if (code !== null) expect(rpcOf(reply)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  it.each([
    ['of another type', { 'content-type': 'text/plain' }, 415],
    ['of an unknown encoding', { 'content-encoding': 'rot13' }, 415],
    ['that is no gzip', { 'content-encoding': 'gzip' }, 400],
  ])('%s is answered with JSON-RPC', async (_, extra, status) => {
    const reply = await httpRequest(server.url, { headers: { ...authorized, ...extra }, body: PING });
    expect(reply.status).toBe(status);
    expect(rpcOf(reply)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } });
  });

  it.each(['garbage', '', nested(10_000), request('ping', { x: 'x'.repeat(70_000) })])(
    'is not parsed before the token is checked: %.20j',
    async (body) => {
      expect(await httpRequest(server.url, { body })).toMatchObject({ status: 401 });
    },
  );

  it('is not awaited before the token is checked', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{';
    const answer = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.once('data', (data) => resolve(data.toString()));
      socket.write(head);
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401/);
  });

  it('is not parsed if it comes from a page of another origin', async () => {
    const headers = { ...authorized, origin: 'http://evil.example' };
    expect(await httpRequest(server.url, { headers, body: 'garbage' })).toMatchObject({ status: 403 });
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])(
    '%s gets 405 with the allowed methods',
    async (method) => {
      const reply = await httpRequest(server.url, { method, headers: authorized });
      expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    },
  );
});
