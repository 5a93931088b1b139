import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { randomBytes } from 'node:crypto';

/**
 * What the proxy does with connections, those that are open included:
 * - `pass`: nothing but passing on
 * - `down`: refuses connections
 * - `killed`: resets a connection after so many bytes of answers
 * - `slow`: holds every piece of an answer back for so long
 * - `half-open`: takes connections and what is sent, answers nothing
 * - `garbage`: answers whatever is sent with bytes that mean nothing
 * - `refusing`: answers whatever is sent as told, such as that the password is wrong
 */
export type Fault =
  | { readonly mode: 'pass' | 'down' | 'half-open' | 'garbage' }
  | { readonly mode: 'killed'; readonly afterBytes: number }
  | { readonly mode: 'slow'; readonly delayMs: number }
  | { readonly mode: 'refusing'; readonly answer: (sent: Buffer) => Buffer | string };

/** A TCP proxy that can do wrong. */
export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /** Takes effect at once. */
  readonly set: (fault: Fault) => Promise<void>;
  /** Connections of clients that are open now. */
  readonly connections: () => number;
  /** How many there have been. */
  readonly accepted: () => number;
  readonly stop: () => Promise<void>;
}

/** One client's connection, and the one to the real server where that is needed. */
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
    // A connection that began otherwise knows no server.
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

/** Starts a proxy on a free port, before the server at a port of this machine. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let fault: Fault = { mode: 'pass' };
  const links = new Set<Link>();
  let accepted = 0;
  const server = createServer((client) => {
    accepted++;
    const needsServer = fault.mode === 'pass' || fault.mode === 'killed' || fault.mode === 'slow';
    const real = needsServer ? connect(target) : null;
    // Whatever a fault leaves open keeps no test process alive.
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
