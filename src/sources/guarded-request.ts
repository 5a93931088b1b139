import { type Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type CheckedAddress, pinnedLookup } from './guarded-address.js';

/** Longer headers end the request (bytes). */
const MAX_HEADER_BYTES = 65_536;
/** Bytes that an answer may have besides those of its content: headers, and the frame of a compression. */
const FRAME_BYTES = 1_000_000;

/** A slower answer ends its request. */
export interface SpeedLimits {
  /** Time without a byte after which a request ends. */
  readonly idleMs: number;
  /** Time after which a request must have been faster than `minBytesPerSecond`. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** False for a connection that is used once. */
  readonly agent: Agent | false;
  readonly limits: SpeedLimits;
  /** Of the content, as it is transferred. */
  readonly maxBytes: number;
  /** Makes the error of a request that exceeds its limits. */
  readonly fail: (message: string) => Error;
  readonly signal: AbortSignal;
}

/** Starts a request to checked addresses, without cookies and proxies, and with limits. The caller ends it. */
export function guardedRequest(
  url: URL,
  addresses: readonly CheckedAddress[],
  options: RequestOptions,
): ClientRequest {
  const { headers, agent, signal } = options;
  const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname + url.search,
    headers: { host: url.host, ...headers },
    agent,
    lookup: pinnedLookup(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  });
  watchSpeed(outgoing, options);
  return outgoing;
}

/**
 * Ends a request that stands still, is slow, or gets more bytes than it may. Time is counted in ticks of the watch, so that
 * a server is not blamed for the time in which this process was busy.
 */
function watchSpeed(outgoing: ClientRequest, { limits, maxBytes, fail }: RequestOptions): void {
  const { idleMs, graceMs, minBytesPerSecond } = limits;
  const tickMs = Math.min(250, idleMs / 4);
  let [atStart, received, watchedMs, idleSinceMs] = [0, 0, 0, 0];
  outgoing.once('socket', ({ bytesRead }) => (atStart = bytesRead));
  const timer = setInterval(() => {
    const bytes = (outgoing.socket?.bytesRead ?? 0) - atStart;
    watchedMs += tickMs;
    if (bytes > received) [received, idleSinceMs] = [bytes, watchedMs];
    if (watchedMs - idleSinceMs > idleMs) outgoing.destroy(fail('no byte came in time'));
    else if (watchedMs > graceMs + (1_000 * bytes) / minBytesPerSecond)
      outgoing.destroy(fail('the answer came too slowly'));
    else if (bytes > maxBytes + FRAME_BYTES) outgoing.destroy(fail(`it has more than ${maxBytes} bytes`));
  }, tickMs);
  outgoing.once('close', () => clearInterval(timer));
}
