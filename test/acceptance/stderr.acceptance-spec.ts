import { join } from 'node:path';
import { connectClient, startHttpProcess, type TransportName } from '../support/mcp-clients.js';
import { pithIndex, poll, runPith, startPith } from '../support/processes.js';
import { rawWire } from '../support/raw-wire.js';
import { TRANSPORTS } from '../support/sites.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const HOOK = join(__dirname, '..', 'support', 'noisy-hook.cjs');
/** A fake log line, terminal escape codes and characters that reorder text. */
const HOSTILE = 'x\nINJECTED \u001b[31m\u009b2J\r\u0000\u202e\u2028';
const LONG = 'longest'.repeat(130_000);
const MAX_LINE = 24_100;

/** Lines that a caller could have written, that contain escape codes, or that are too long. */
function badLines(stderr: string): string[] {
  const steers = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
  const isBad = (line: string): boolean =>
    /^\W*INJECTED/.test(line) || steers.test(line) || line.length > MAX_LINE;
  return stderr
    .split('\n')
    .filter(isBad)
    .map((line) => line.slice(0, 200));
}

const request = (method: string, params: object, id = 7): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Requests in which a hostile text replaces each name. */
const hostileRequests = (text: string): string[] => [
  request('initialize', {
    protocolVersion: text,
    capabilities: {},
    clientInfo: { name: text, version: text },
  }),
  request('tools/call', { name: text, arguments: {} }),
  request('tools/call', { name: 'kb.search', arguments: { [text]: 1, query: text } }),
  request('resources/read', { uri: text }),
  request('resources/read', { uri: `docs:///${text}` }),
  request('prompts/get', { name: text, arguments: { [text]: text } }),
  request(text, {}),
  request('tools/list', {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': text,
      'io.modelcontextprotocol/clientInfo': { name: text, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }),
  text.replaceAll('\n', ' '),
];

beforeAll(() => pithIndex(FIXTURE_CORPUS, index));

afterAll(() => folder.remove());

describe.each<TransportName>(['stdio', 'http'])('stderr after hostile requests over %s', (transport) => {
  const stderrOf = async (env: Record<string, string>): Promise<string> => {
    const wire = await rawWire(transport, index, { env: { PITH_LOG_LEVEL: 'debug', ...env } });
    for (const line of [...hostileRequests(HOSTILE), ...hostileRequests(LONG)]) await wire.send(line);
    return wire.stop();
  };

  it('contains only our own lines, short and escaped', async () => {
    const stderr = await stderrOf({});
    expect(badLines(stderr)).toEqual([]);
    if (transport === 'http') expect(stderr).toContain('\\nINJECTED');
  });

  it('contains nothing from the requests with MCP_NO_LOG', async () => {
    const stderr = await stderrOf({ MCP_NO_LOG: 'true' });
    expect(badLines(stderr)).toEqual([]);
    expect(stderr).not.toMatch(/INJECTED|longest|docs:/);
  });
});

it.each(TRANSPORTS)(
  'a real %s client over %s with hostile names is served, and the names are not logged',
  async (era, transport) => {
    const env = { PITH_LOG_LEVEL: 'debug' };
    const server = await startHttpProcess(index, env);
    let stderr = '';
    server.child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    const clientName = HOSTILE + LONG;
    const client = await connectClient({ era, transport, index, url: server.url, env, clientName });
    const tried = [
      () => client.call(HOSTILE + LONG),
      () => client.call('kb.search', { query: HOSTILE, [HOSTILE]: LONG }),
      () => client.readResource(`docs:///${HOSTILE}`),
      () => client.readResource(LONG),
      () => client.getPrompt(HOSTILE, { [HOSTILE]: LONG }),
    ];
    for (const attempt of tried) await attempt().catch(() => undefined);
    const { isError } = await client.call('kb.search', { query: 'leave the waiting list' });
    await client.close();
    await server.stop();
    expect(isError).toBeUndefined();
    expect(badLines(stderr)).toEqual([]);
  },
);

describe('output of libraries', () => {
  const options = (env: Record<string, string> = {}) => ({
    env: { NODE_OPTIONS: `--require ${HOOK}`, ...env },
  });

  // The main thread and the thread that reads the index; over HTTP also the thread of the run ledger.
  it.each([
    ['stdio', 2],
    ['http', 3],
  ])('goes to stderr of pith %s, one line each', async (command, threads) => {
    const server = startPith(
      [command, '--index', index, '--port', '0'].slice(0, command === 'http' ? 5 : 3),
      options(),
    );
    const isOver = (): true | undefined =>
      server.stderr().split('the last\n').length > threads ? true : undefined;
    await poll('the last line of all threads', isOver);
    const { stdout, stderr } = await server.stop();
    expect(stdout).toBe('');
    expect(badLines(stderr)).toEqual([]);
    // Four lines of the main thread, and three of each other thread.
    expect(stderr.match(/INJECTED/g)).toHaveLength(1 + 3 * threads);
  });

  it('is silent with MCP_NO_LOG', async () => {
    const server = startPith(['http', '--index', index, '--port', '0'], options({ MCP_NO_LOG: '1' }));
    await poll('the start', () => /(http:\S+)\n/.exec(server.stderr())?.[1]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { stderr } = await server.stop();
    expect(stderr).toMatch(/^Pith serves MCP at \S+\n$/);
  });

  it.each([
    [{}, /noisy\\nINJECTED/],
    [{ MCP_NO_LOG: '1' }, /unexpected error \(Error\)/],
  ])('includes an uncaught error as one line, and the process exits with 1: %j', async (env, told) => {
    const { code, stderr } = await runPith(
      ['diagnostics', 'tail'],
      options({ NOISY_END: '1', RETRIEVAL_DIAGNOSTICS_DIR: folder.file('none'), ...env }),
    );
    expect(code).toBe(1);
    expect(badLines(stderr)).toEqual([]);
    expect(stderr).toMatch(told);
  });
});

it('escapes the arguments of a command, too', async () => {
  const { code, stderr } = await runPith(['fly\u001b[31m', '--index', index]);
  expect(code).toBe(2);
  expect(badLines(stderr)).toEqual([]);
  const wrong = await runPith(['http'], { env: { MCP_TOOLSET: 'huge\u001b[31m\nINJECTED' } });
  expect(wrong.code).toBe(2);
  expect(badLines(wrong.stderr)).toEqual([]);
});
