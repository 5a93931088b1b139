import { PassThrough } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { McpTransport, McpTransportContext } from '@rekog/mcp-nest';
import { StdioWire } from './stdio-wire.js';

/**
 * MCP over stdin and stdout. The SDK drops what it has not answered when its input ends; so ours ends only once the
 * calls under way have been answered, and `printf … | pith stdio` gets its replies.
 */
export class StdioDoor implements McpTransport {
  readonly kind = 'stdio' as const;
  private readonly input = new PassThrough();
  private handle: StdioServerHandle | null = null;
  private greeting: Promise<unknown> = Promise.resolve();

  /** @param ready  awaited before a connection's server is made, which is when its instructions are read */
  constructor(private readonly ready: () => Promise<unknown>) {}

  start({ createBoundServer, logger }: McpTransportContext): void {
    const transport = new StdioWire(this.input, process.stdout);
    this.handle = serveStdio(
      // A connection lasts, so there is a channel for progress, though no session id.
      async ({ era }) => {
        this.greeting = this.ready();
        await this.greeting;
        return createBoundServer({ transport: this.kind, stateless: false, era });
      },
      { transport, onerror: (error) => logger.warn(`stdio: ${error.message}`) },
    );
    process.stdin.pipe(this.input, { end: false });
  }

  /** Resolves once the connection that was asked for is there, so that its calls are under way. */
  async greeted(): Promise<void> {
    await this.greeting;
  }

  async close(): Promise<void> {
    await this.handle?.close();
    this.handle = null;
  }
}
