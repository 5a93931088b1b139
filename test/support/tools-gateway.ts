import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { httpRequest } from './http-request.js';
import type { CallResult } from './mcp-clients.js';

export interface GatewayClient {
  readonly listTools: () => Promise<{ name: string }[]>;
  readonly call: (name: string, args: Record<string, unknown>) => Promise<CallResult>;
  readonly capabilities: () => object | undefined;
  /** Methods that reached the server. */
  readonly passedOn: () => readonly string[];
  readonly close: () => Promise<void>;
}

/**
 * A real client behind a gateway that passes on tools only. The gateway answers `initialize` itself, sends each request
 * to the server alone, without session, client name and `_meta`, and drops everything of results but their text and data.
 */
export async function behindToolsGateway(url: string): Promise<GatewayClient> {
  const passed: string[] = [];
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    passed.push(method);
    const body = JSON.stringify({ jsonrpc: '2.0', id: passed.length, method, params });
    const response = await httpRequest(url, { body });
    const { result, error } = JSON.parse(response.body) as Record<string, Record<string, unknown>>;
    if (!result) throw new Error(JSON.stringify(error));
    return result;
  };
  const server = new Server({ name: 'gateway', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const { tools } = await ask('tools/list', {});
    return { tools: (tools as object[]).map((tool) => ({ ...tool, annotations: undefined })) as never };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args } }) => {
    const { content, structuredContent, isError } = await ask('tools/call', { name, arguments: args });
    const texts = (content as { type: string }[]).filter(({ type }) => type === 'text');
    return { content: texts, structuredContent, isError } as never;
  });
  const client = new Client({ name: 'behind-a-gateway', version: '1.0.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as CallResult,
    capabilities: () => client.getServerCapabilities(),
    passedOn: () => passed,
    close: () => client.close(),
  };
}
