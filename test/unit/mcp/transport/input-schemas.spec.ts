import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const schema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };

/** The status of a call of `pick` for the region `eu`, from a server with the replaced method of `PithStrategy`. */
async function statusOf(header: Readonly<Record<string, string>>): Promise<number> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.server.setRequestHandler('tools/call', () => ({ content: [] }));
    return Object.assign(server, { toolInputSchemaJson: () => schema });
  });
  const params = { name: 'pick', arguments: { region: 'eu' }, _meta: META };
  const request = new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'pick',
      ...header,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { status } = await handler.fetch(request);
  return status;
}

describe('the schema that the SDK checks headers with', () => {
  it('is the one that toolInputSchemaJson returns', async () => {
    expect(await statusOf({ 'Mcp-Param-Region': 'eu' })).toBe(200);
    expect(await statusOf({ 'Mcp-Param-Region': 'us' })).toBe(400);
    expect(await statusOf({})).toBe(400);
  });
});
