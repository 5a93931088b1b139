import {
  InMemoryTransport,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  McpServer,
} from '@modelcontextprotocol/server';
import { instructClients, REPLAYED } from '../../../../src/mcp/transport/client-instructions.js';

const initialize = (id: number): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', id, method: 'initialize' },
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  },
});

/** Connects a server with these instructions; `ask` sends a message and resolves to the next one that comes back. */
async function connected(instructions: (server: McpServer) => Promise<string>) {
  const server = new McpServer({ name: 'pith', version: '1' });
  instructClients(server, () => instructions(server));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const next = () => new Promise((resolve) => (near.onmessage = resolve));
  const ask = async (message: JSONRPCMessage): Promise<unknown> => {
    const answer = next();
    await near.send(message);
    return answer;
  };
  return { ask, far, next };
}

describe('instructClients', () => {
  it('adds instructions to the answer to initialize, when the client is known', async () => {
    const { ask } = await connected(async ({ server }) => `for ${server.getClientVersion()?.name}`);
    expect(await ask(initialize(1))).toMatchObject({ id: 1, result: { instructions: 'for host' } });
  });

  it('leaves other answers as they are', async () => {
    const { ask } = await connected(async () => 'text');
    await ask(initialize(1));
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual({
      ...{ jsonrpc: '2.0', id: 1, result: {} },
    });
  });

  it('leaves the answer to a later request with the id of an initialize that failed', async () => {
    const { ask } = await connected(async () => 'text');
    const failed = await ask({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    expect(failed).toHaveProperty('error');
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual({
      ...{ jsonrpc: '2.0', id: 1, result: {} },
    });
  });

  it('writes no instructions for an initialize that is replayed', async () => {
    const { far, next } = await connected(async () => 'text');
    const answer = next();
    far.onmessage?.(initialize(1), REPLAYED);
    expect(await answer).not.toHaveProperty('result.instructions');
  });

  it('answers with an error if there are no instructions', async () => {
    const { ask } = await connected(() => Promise.reject(new Error('no index')));
    expect(await ask(initialize(1))).toMatchObject({ id: 1, error: { code: -32603, message: 'no index' } });
  });
});
