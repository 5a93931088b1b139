import { createServer } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';

/** Slow senders: time for the headers of a request, and for all of it (ms). */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** How often these times are checked (ms). */
const CHECK_MS = 1_000;
/** An idle connection is kept for longer than proxies keep theirs, so that they do not use one that is being closed. */
const IDLE_MS = 65_000;
/** A connection without traffic in either direction is closed: its reader takes nothing. Longer than any call takes. */
const STALLED_MS = 300_000;

/** Express on a server with time limits. Nest's own adapter takes no options for the server. */
export class HttpAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const times = {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
    };
    this.httpServer = createServer(times, this.getInstance()).setTimeout(STALLED_MS);
  }
}
