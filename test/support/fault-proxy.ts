import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * The behaviour of the proxy, also for open connections:
 * - `pass`: forwards everything
 * - `down`: refuses connections
 * - `killed`: resets a connection after a number of response bytes
 * - `slow`: delays every chunk of a response
 * - `half-open`: accepts connections and data, but never responds
 * - `garbage`: responds with meaningless bytes
 * - `refusing`: responds with given bytes, such as the error for a wrong password
 */
export type Fault =
  | { readonly mode: 'pass' | 'down' | 'half-open' | 'garbage' }
  | { readonly mode: 'killed'; readonly afterBytes: number }
  | { readonly mode: 'slow'; readonly delayMs: number }
  | { readonly mode: 'refusing'; readonly answer: (sent: Buffer) => Buffer | string };

/** A TCP proxy that can simulate faults. */
export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /** Takes effect at once. */
  readonly set: (fault: Fault) => Promise<void>;
  /** Number of open client connections. */
  readonly connections: () => number;
  /** Number of client connections so far. */
  readonly accepted: () => number;
  readonly stop: () => Promise<void>;
}

/** A client connection, with the connection to the real server if needed. */
class Link {
  private answered = 0;
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    readonly client: Socket,
    private readonly server: Socket | null,
    private readonly fault: () => Fault,
  ) {
    client.on('data', (data: Buffer) => this.onSent(data));
    server?.on('data', (data: Buffer) => this.onAnswer(data));
    for (const socket of [client, server]) socket?.on('error', () => undefined);
    client.on('close', () => this.end());
    server?.on('close', () => client.end());
  }

  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.server?.destroy();
    this.client.destroy();
  }

  private onSent(data: Buffer): void {
    const fault = this.fault();
    if (fault.mode === 'garbage') this.client.write(Buffer.concat([Buffer.of(0xff), randomBytes(200)]));
    if (fault.mode === 'refusing') this.client.write(fault.answer(data));
    const isPassed = fault.mode === 'pass' || fault.mode === 'killed' || fault.mode === 'slow';
    if (isPassed && this.server) this.server.write(data);
    // A connection that began with another fault has no server connection.
    if (isPassed && !this.server) this.client.destroy();
  }

  private onAnswer(data: Buffer): void {
    const fault = this.fault();
    if (fault.mode === 'pass') this.client.write(data);
    if (fault.mode === 'killed') this.killAfter(data, fault.afterBytes);
    if (fault.mode !== 'slow') return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.client.write(data);
    }, fault.delayMs);
    this.timers.add(timer);
  }

  private killAfter(data: Buffer, most: number): void {
    const rest = data.subarray(0, Math.max(0, most - this.answered));
    this.answered += data.length;
    if (this.answered < most) this.client.write(data);
    else this.client.write(rest, () => this.client.resetAndDestroy());
  }
}

/** Starts a proxy on a free port for a server on a local port. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let fault: Fault = { mode: 'pass' };
  const links = new Set<Link>();
  let accepted = 0;
  const server = createServer((client) => {
    accepted++;
    const needsServer = fault.mode === 'pass' || fault.mode === 'killed' || fault.mode === 'slow';
    const real = needsServer ? connect(target) : null;
    // Connections that a fault leaves open must not keep the test process alive.
    for (const socket of [client, real]) socket?.unref();
    const link = new Link(client, real, () => fault);
    links.add(link);
    client.on('close', () => links.delete(link));
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const hangUp = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : null;
    if (server.listening) server.close();
    for (const link of links) link.client.resetAndDestroy();
    await closed;
  };
  const port = await listen(0);
  return {
    host: '127.0.0.1',
    port,
    set: async (next) => {
      fault = next;
      if (next.mode === 'down') return hangUp();
      if (!server.listening) await listen(port);
    },
    connections: () => links.size,
    accepted: () => accepted,
    stop: hangUp,
  };
}
