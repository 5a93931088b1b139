import { copyFileSync } from 'node:fs';
import { holdIndex } from '../support/index-files.js';
import { pithIndex, runPith, startPith, timed } from '../support/processes.js';
import { startStdio, type StdioProcess } from '../support/stdio-process.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SEARCH = { name: 'kb.search', arguments: { query: 'leave the waiting list' } };
/** The answers to it. */
const FOUND = {
  structuredContent: {
    results: expect.arrayContaining([
      expect.objectContaining({ section_id: 'guides/waiting-list.mdx#leaving-the-list' }),
    ]),
  },
};

beforeAll(() => pithIndex(FIXTURE_CORPUS, index));

afterAll(() => folder.remove());

async function ready(file = index, env: Record<string, string> = {}): Promise<StdioProcess> {
  const server = startStdio(file, { env });
  await server.initialize();
  return server;
}

describe('stdout', () => {
  it('carries only JSON-RPC, at any log level', async () => {
    const server = await ready(index, { PITH_LOG_LEVEL: 'debug' });
    await server.request('tools/list');
    await server.request('tools/call', SEARCH);
    await server.request('tools/call', { name: 'kb.search', arguments: { query: 7 } });
    await server.request('tools/call', { name: 'nonsense', arguments: {} });
    await server.request('resources/read', { uri: 'file:///etc/passwd' });
    await server.request('no/such/method');
    const { stdout, stderr } = await server.stop();
    expect(stdout.endsWith('\n')).toBe(true);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc),
    ).toEqual(Array.from({ length: 7 }, () => '2.0'));
    expect(stderr).toMatch(/\S/);
  });

  it('does not carry warnings about settings', async () => {
    const { code, stdout, stderr } = await runPith(['stdio', '--index', index], {
      env: { MAX_RESPONSE_BYTE: '2048' },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('MAX_RESPONSE_BYTES');
  });

  it('stays empty if the start is refused', async () => {
    const { code, stdout, stderr } = await runPith(['stdio', '--index', index], {
      env: { MCP_TOOLSET: 'huge' },
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('MCP_TOOLSET');
  });
});

describe('the end of stdin', () => {
  it('ends the process within a second, with code 0', async () => {
    const server = await ready();
    server.child.stdin.end();
    const { value, ms } = await timed(server.finished);
    expect(value).toMatchObject({ code: 0, signal: null });
    expect(ms).toBeLessThan(1_000);
  });

  it('ends the process within a second while a call is running', async () => {
    const file = folder.file('held.sqlite');
    copyFileSync(index, file);
    // Locked before the server starts, because the server opens it immediately.
    const letGo = holdIndex(file);
    const server = await ready(file);
    server.write(JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'tools/call', params: SEARCH }));
    await server.request('ping');
    server.child.stdin.end();
    const { value, ms } = await timed(server.finished);
    letGo();
    expect(value).toMatchObject({ code: 0, signal: null });
    expect(ms).toBeLessThan(1_000);
  });

  it('answers the requests sent before it, even those sent before the server was ready', async () => {
    const requests = [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'pipe', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: SEARCH },
    ];
    const lines = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
    const { child, finished } = startPith(['stdio', '--index', index]);
    child.stdin.end(lines.join(''));
    const { stdout } = await finished;
    const answered = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answered).toMatchObject([{ id: 1 }, { id: 2, result: FOUND }]);
  });

  it('ends a process that never got a message', async () => {
    expect(await runPith(['stdio', '--index', index])).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('signals', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the process within a second, with code 0',
    async (signal) => {
      const server = await ready();
      await server.request('tools/call', SEARCH);
      server.child.kill(signal);
      const { value, ms } = await timed(server.finished);
      expect(value).toMatchObject({ code: 0, signal: null });
      expect(ms).toBeLessThan(1_000);
    },
  );
});

describe('an invalid line on stdin', () => {
  let server: StdioProcess;

  beforeAll(async () => {
    server = await ready();
  });

  afterAll(() => server.stop());

  it.each([
    'garbage',
    '',
    '{"jsonrpc":"2.0","id":',
    '[]',
    '{}',
    '7',
    'null',
    '\u0000\u0001\ufffd',
    '{"jsonrpc":"2.0","id":null,"method":7}',
    `"${'x'.repeat(2_000_000)}"`,
  ])('does not end the process: %.40s', async (line) => {
    server.write(line);
    expect(await server.request('tools/call', SEARCH)).toMatchObject({ result: FOUND });
    expect(server.child.exitCode).toBeNull();
  });

  it('does not end the process if it is not UTF-8', async () => {
    server.child.stdin.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
    expect(await server.request('ping')).toMatchObject({ result: {} });
  });

  it('is not confused with a message that arrives in pieces', async () => {
    server.child.stdin.write('{"jsonrpc":"2.0","id":"pieces",');
    server.child.stdin.write('"method":"ping"}\n');
    await server.request('ping');
    expect(server.stdout()).toContain('"id":"pieces"');
  });
});

describe('the index', () => {
  it('may be missing at the start: tools are listed, and calls return advice', async () => {
    const server = await ready(folder.file('nowhere/index.sqlite'));
    const list = await server.request('tools/list');
    const reply = await server.request('tools/call', SEARCH);
    await server.stop();
    expect(list.result?.['tools']).toHaveLength(16);
    expect(reply.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/BACKEND_UNAVAILABLE.*pith index/) }],
    });
  });

  it('is served by two processes at once, each with its own session', async () => {
    const [one, other] = await Promise.all([ready(), ready()]);
    const replies = await Promise.all([
      one.request('tools/call', SEARCH),
      other.request('tools/call', SEARCH),
    ]);
    await Promise.all([one.stop(), other.stop()]);
    const [first, second] = replies.map(
      ({ result }) =>
        result?.['structuredContent'] as { session_id: string; results: { section_id: string }[] },
    );
    expect(first?.results.map(({ section_id }) => section_id)).toEqual(
      second?.results.map(({ section_id }) => section_id),
    );
    expect(first?.session_id).not.toBe(second?.session_id);
  });
});

describe('a server whose stderr is not read any more', () => {
  it('keeps answering', async () => {
    const server = await ready(index, { PITH_LOG_LEVEL: 'debug' });
    server.child.stderr.destroy();
    await server.request('tools/call', { name: 'nonsense', arguments: {} });
    server.write('garbage');
    const reply = await server.request('tools/call', SEARCH);
    await server.stop();
    expect(reply.result).toMatchObject(FOUND);
  });
});
