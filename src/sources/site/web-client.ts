import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { codeIn } from '../../core/errors.js';
import {
  type AddressPolicy,
  type CheckedAddress,
  checkedAddresses,
  UnknownHostError,
} from '../guarded-address.js';
import { guardedRequest } from '../guarded-request.js';
import { isSameSite } from './page-address.js';
import type { SiteLimits } from './site-limits.js';

const REDIRECTS = [301, 302, 303, 307, 308];

export interface WebRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** True to return the beginning of a longer answer. */
  readonly isCut?: boolean;
  /** The reason why a redirect is not followed to an address of the site; null if it is. */
  readonly refuseRedirect?: (target: URL) => string | null;
}

export interface WebAnswer {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request without a useful answer. */
export class WebFailure extends Error {
  /** @param isGone  true if the page is not at this address any more */
  constructor(
    message: string,
    readonly isGone = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface WebParts {
  readonly policy: AddressPolicy;
  readonly limits: SiteLimits;
  readonly userAgent: string;
  /** The address of the source; redirects stay on its site. */
  readonly home: URL;
  /** The value of the header Authorization, which is sent to the origin of `home` only; '' for none. */
  readonly authorization: string;
  readonly signal: AbortSignal;
}

/** Sends requests to the hosts of one site: to checked addresses, without cookies and proxies, and with limits. */
export class WebClient {
  /** Requests that were sent. */
  requests = 0;
  /** Bytes of all answers, after decompression. */
  bytes = 0;
  private readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent };

  constructor(private readonly parts: WebParts) {
    const options = { keepAlive: true, maxSockets: parts.limits.concurrency };
    this.agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  }

  close(): void {
    this.agents.http.destroy();
    this.agents.https.destroy();
  }

  /** @throws WebFailure; RefusedAddressError for an address inside the machine or its networks */
  async get(request: WebRequest): Promise<WebAnswer> {
    let { url } = request;
    for (let hops = 0; ; hops++) {
      const answer = await this.getOnce(url, request);
      const target = redirectTarget(answer);
      if (target === null) return answer;
      if (hops === this.parts.limits.maxRedirects) throw new WebFailure(`more than ${hops} redirects`);
      const reason = this.refuseTarget(target) ?? request.refuseRedirect?.(target) ?? null;
      if (reason !== null) throw new WebFailure(reason, true);
      url = target;
    }
  }

  private refuseTarget(target: URL): string | null {
    const isOfSite = isSameSite(this.parts.home, target) && target.username === '' && target.password === '';
    return isOfSite ? null : 'it redirects to another site';
  }

  private async getOnce(url: URL, request: WebRequest): Promise<WebAnswer> {
    const addresses = await this.addresses(url);
    try {
      return await this.exchange(url, addresses, request);
    } catch (error) {
      // The server may close a connection at the moment that it is used again.
      if (!(error instanceof StaleConnection)) throw error;
      return this.exchange(url, addresses, request);
    }
  }

  private async addresses(url: URL): Promise<readonly CheckedAddress[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, this.parts.limits.idleMs, new WebFailure('its name was not found in time'));
    });
    try {
      return await Promise.race([checkedAddresses(url, this.parts.policy), late]);
    } catch (cause) {
      if (!(cause instanceof UnknownHostError)) throw cause;
      throw new WebFailure(`its name was not found (${codeIn(cause.cause)})`, false, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  private exchange(url: URL, addresses: readonly CheckedAddress[], request: WebRequest): Promise<WebAnswer> {
    const { signal, limits } = this.parts;
    this.requests++;
    return new Promise((resolve, reject) => {
      const outgoing = guardedRequest(url, addresses, {
        headers: this.headers(url, request),
        agent: url.protocol === 'https:' ? this.agents.https : this.agents.http,
        fail: (message) => new WebFailure(message),
        ...{ limits, maxBytes: request.maxBytes, signal },
      });
      const fail = (error: unknown): void => reject(failure(error, outgoing.reusedSocket, signal));
      outgoing.once('error', fail);
      outgoing.once('response', (incoming) => {
        readBody(incoming, request, (bytes) => (this.bytes += bytes)).then((body) => {
          resolve({ url, status: incoming.statusCode ?? 0, headers: incoming.headers, body });
        }, fail);
      });
      outgoing.end();
    });
  }

  private headers(url: URL, request: WebRequest): Record<string, string> {
    const { authorization, home, userAgent } = this.parts;
    return {
      'user-agent': userAgent,
      'accept-encoding': 'gzip, br',
      ...request.headers,
      ...(authorization !== '' && url.origin === home.origin ? { authorization } : {}),
    };
  }
}

/** A connection that was open from an earlier request, and that the server had closed. */
class StaleConnection extends WebFailure {}

/** True for an error of Node. */
export const isSystemError = (error: unknown): error is Error & { readonly code: string } =>
  types.isNativeError(error) && 'code' in error && typeof error.code === 'string' && !('hint' in error);

function failure(error: unknown, isReused: boolean, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof WebFailure || !isSystemError(error)) return error;
  const message = `the connection failed (${error.code})`;
  return isReused && /^(?:ECONNRESET|EPIPE)$/.test(error.code)
    ? new StaleConnection(message, false, { cause: error })
    : new WebFailure(message, false, { cause: error });
}

function redirectTarget({ url, status, headers }: WebAnswer): URL | null {
  if (!REDIRECTS.includes(status)) return null;
  const { location = '' } = headers;
  if (location === '' || !URL.canParse(location, url.href)) {
    throw new WebFailure('it redirects to no address');
  }
  const target = new URL(location, url.href);
  target.hash = '';
  return target;
}

const tooLong = (maxBytes: number): WebFailure => new WebFailure(`it has more than ${maxBytes} bytes`);

/** Reads an answer up to its limit, which holds after decompression. */
async function readBody(
  incoming: IncomingMessage,
  { maxBytes, isCut = false }: WebRequest,
  count: (bytes: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of source) {
      chunks.push(chunk);
      size += chunk.length;
      count(chunk.length);
      if (size > maxBytes) throw tooLong(maxBytes);
    }
  };
  try {
    if (!isCut && Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLong(maxBytes);
    const decoder = decoderFor(incoming.headers['content-encoding'] ?? '');
    await (decoder ? pipeline(incoming, decoder, collect) : pipeline(incoming, collect));
  } catch (error) {
    incoming.destroy();
    // Streams report the end that this causes instead of its reason.
    if (size > maxBytes && !isCut) throw tooLong(maxBytes);
    if (size <= maxBytes) throw error;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function decoderFor(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new WebFailure('its content encoding is unknown');
  }
}
