import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { httpRequest, MCP_HEADERS } from '../support/http-request.js';
import { type HttpProcess, startHttpProcess } from '../support/mcp-clients.js';
import { pithIndex } from '../support/processes.js';
import { testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const MANIFEST = `
taxonomy:
  kind: { description: kinds of sails, resource: true }
prompts:
  - name: sail
    description: Asks which sail.
    arguments: [{ name: kind }]
    messages: [{ role: user, content: 'Which sail? {{kind}}' }]
`;
const page = (kind: string) => `---\nkind: ${kind}\n---\n# The ${kind}\n\nA ${kind} is a sail.\n`;

let server: HttpProcess;

beforeAll(async () => {
  const files = { 'docs/sails/jib.md': page('jib'), 'docs/sails/genoa.md': page('genoa') };
  writeFiles(folder.path, { ...files, 'docs/.pith.yaml': MANIFEST });
  await pithIndex(folder.file('docs'), index);
  server = await startHttpProcess(index, { MCP_TOOL_NAMES: 'dotted' });
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function connected(): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: 'sessions', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(server.url));
  await client.connect(transport as never);
  return { client, transport };
}

const complete = (ref: object, name: string, value: string) => ({
  ref: ref as { type: 'ref/prompt'; name: string },
  argument: { name, value },
});

describe('a client of 2025 over HTTP', () => {
  it('gets a session id, and log messages from the level on that it sets', async () => {
    const { client, transport } = await connected();
    const messages: { level: string; data: unknown }[] = [];
    client.setNotificationHandler(
      LoggingMessageNotificationSchema,
      ({ params }) => void messages.push(params),
    );
    expect(transport.sessionId).toMatch(/^[\w.-]+$/);
    const search = { name: 'kb.search', arguments: { query: 'genoa' } };
    await client.callTool(search);
    expect(messages).toEqual([]);
    await client.setLoggingLevel('debug');
    await client.callTool(search);
    await client.callTool({ name: 'kb.read_excerpt', arguments: { passage_id: 'none' } });
    expect(messages).toMatchObject([
      { level: 'debug', data: { name: 'kb.search', ms: expect.any(Number) } },
      { level: 'error', data: { name: 'kb.read_excerpt', code: 'INVALID_ARGUMENT' } },
      { level: 'debug', data: { name: 'kb.read_excerpt' } },
    ]);
    expect(JSON.stringify(messages)).not.toContain('genoa');
    await client.close();
  });

  it('gets suggestions for arguments of prompts and for paths of documents', async () => {
    const { client } = await connected();
    expect(client.getServerCapabilities()).toMatchObject({ completions: {}, logging: {} });
    const prompt = { type: 'ref/prompt', name: 'sail' };
    const template = { type: 'ref/resource', uri: 'docs:///{+path}' };
    expect(await client.complete(complete(prompt, 'kind', 'G'))).toMatchObject({
      completion: { values: ['genoa'], total: 1, hasMore: false },
    });
    expect(await client.complete(complete(template, 'path', 'sails/j'))).toMatchObject({
      completion: { values: ['sails/jib.md'], hasMore: false },
    });
    await expect(client.complete(complete({ ...prompt, name: 'none' }, 'kind', ''))).rejects.toThrow(
      "There is no prompt 'none'",
    );
    await client.close();
  });

  it('is answered with a session id that the server does not know, but without a session', async () => {
    const headers = { ...MCP_HEADERS, 'mcp-session-id': 'unknown' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(await httpRequest(server.url, { headers, body })).toMatchObject({ status: 200 });
  });
});
