import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { McpTransport, McpTransportContext } from '@rekog/mcp-nest';

/** The result of a tool call, as the server sends it. */
export type SentResult = Readonly<Record<string, unknown>>;

interface Pending {
  readonly resolve: (result: SentResult) => void;
  readonly reject: (error: Error) => void;
}

/** MCP inside this process: the server's end of a connection, and a client for tool calls at the other end. */
export class InProcessTransport implements McpTransport {
  readonly kind = 'stdio' as const;
  private readonly client: InMemoryTransport;
  private readonly far: InMemoryTransport;
  private readonly pending = new Map<unknown, Pending>();
  private lastId = 0;

  constructor() {
    [this.client, this.far] = InMemoryTransport.createLinkedPair();
    this.client.onmessage = (message) => this.settle(message);
  }

  async start({ createBoundServer }: McpTransportContext): Promise<void> {
    await createBoundServer({ transport: this.kind, stateless: false, era: 'legacy' }).connect(this.far);
    await this.client.start();
  }

  /** @throws Error if the server answers with a JSON-RPC error; failures of tools are results */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<SentResult> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      const params = { name, arguments: args };
      this.client.send({ jsonrpc: '2.0', id, method: 'tools/call', params }).catch(reject);
    });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private settle(message: JSONRPCMessage): void {
    if (!('id' in message)) return;
    const pending = this.pending.get(message.id);
    this.pending.delete(message.id);
    if ('result' in message) pending?.resolve(message.result);
    else if ('error' in message) pending?.reject(new Error(message.error.message));
  }
}
