import { createServer } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { TlsFiles } from './tls-files.js';

/** Slow senders: time for the headers of a request, and for all of it (ms). */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** How often these times are checked (ms). */
const CHECK_MS = 1_000;
/** An idle connection is kept for longer than proxies keep theirs, so that they do not use one that is being closed. */
const IDLE_MS = 65_000;
/**
 * A connection without traffic in either direction is closed: its reader takes nothing. Longer than any call takes: a
 * provider may have ten minutes, and a call two.
 */
const STALLED_MS = 780_000;

/** Express on a server with time limits. Nest's own adapter takes no options for the server. */
export class HttpAdapter extends ExpressAdapter {
  private readonly sockets = new Set<Socket>();

  /** @param tls  null to speak plain HTTP */
  constructor(private readonly tls: TlsFiles | null) {
    super();
  }

  override initHttpServer(): void {
    const times = {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
    };
    const server = this.tls
      ? createTlsServer({ ...times, ...this.tls, handshakeTimeout: HEADERS_MS }, this.getInstance())
      : createServer(times, this.getInstance());
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    this.httpServer = server.setTimeout(STALLED_MS);
  }

  /** Closes all connections, also those that have not sent a request yet or whose TLS handshake is not done. */
  closeConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Uses another certificate for later connections, if the server speaks HTTPS. */
  renew(tls: TlsFiles | null): void {
    const server: unknown = this.httpServer;
    if (tls && server instanceof TlsServer) server.setSecureContext(tls);
  }
}
