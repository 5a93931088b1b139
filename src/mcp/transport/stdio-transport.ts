import { PassThrough } from 'node:stream';
import { serveStdio, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { McpTransport, McpTransportContext } from '@rekog/mcp-nest';
import { StdioWire } from './stdio-wire.js';

/**
 * MCP over stdin and stdout. When its input ends, the SDK drops unanswered calls. So the input is kept open until
 * running calls are answered, and `printf … | pith stdio` gets its replies.
 */
export class StdioTransport implements McpTransport {
  readonly kind = 'stdio' as const;
  private readonly input = new PassThrough();
  private handle: StdioServerHandle | null = null;
  private connecting: Promise<unknown> = Promise.resolve();

  /** @param ready  awaited before a connection's server is made; its instructions are read then */
  constructor(private readonly ready: () => Promise<unknown>) {}

  start({ createBoundServer, logger }: McpTransportContext): void {
    const transport = new StdioWire(this.input, process.stdout);
    this.handle = serveStdio(
      // Not stateless: the connection persists, so progress can be reported, although there is no session id.
      async ({ era }) => {
        this.connecting = this.ready();
        await this.connecting;
        return createBoundServer({ transport: this.kind, stateless: false, era });
      },
      { transport, onerror: (error) => logger.warn(`stdio: ${error.message}`) },
    );
    process.stdin.pipe(this.input, { end: false });
  }

  /** Resolves once the requested connection is open, so that its calls are running. */
  async connected(): Promise<void> {
    await this.connecting;
  }

  async close(): Promise<void> {
    await this.handle?.close();
    this.handle = null;
  }
}
