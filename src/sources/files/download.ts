import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackendUnavailableError, InvalidArgumentError, PithError } from '../../core/errors.js';
import { VERSION } from '../../core/package-facts.js';
import { CopyTooLargeError } from '../copy-files.js';
import { type AddressPolicy, checkedAddresses, parseAddress } from '../guarded-address.js';
import { guardedRequest, type SpeedLimits } from '../guarded-request.js';

const MAX_REDIRECTS = 5;
/** Slow downloads end at their time limit. */
const SPEED: SpeedLimits = { idleMs: 60_000, graceMs: Infinity, minBytesPerSecond: 1 };
const TOTAL_MS = 600_000;

interface DownloadOptions extends AddressPolicy {
  /** Value of the header, for the host of the first address only; '' for none. */
  readonly authorization: string;
  /** Of the last download. */
  readonly etag: string | undefined;
  readonly maxBytes: number;
  /** Default: 10 minutes. */
  readonly totalMs?: number;
  /** Default: a minute without a byte. */
  readonly speed?: SpeedLimits;
  readonly signal: AbortSignal;
}

/** The facts of a download. */
interface Downloaded {
  readonly modifiedAt: string | undefined;
  readonly etag: string | undefined;
}

/**
 * Writes what an address answers to a file. The host is checked before every request, also after a redirect.
 * @returns null if it has not changed @throws RefusedAddressError; InvalidArgumentError; BackendUnavailableError; CopyTooLargeError
 */
export async function download(
  first: URL,
  target: string,
  options: DownloadOptions,
): Promise<Downloaded | null> {
  const deadline = AbortSignal.timeout(options.totalMs ?? TOTAL_MS);
  try {
    return await follow(first, target, { ...options, signal: AbortSignal.any([options.signal, deadline]) });
  } catch (error) {
    options.signal.throwIfAborted();
    if (deadline.aborted) throw tooSlow(first);
    if (error instanceof PithError || error instanceof CopyTooLargeError) throw error;
    throw unreachable(first, error);
  }
}

async function follow(first: URL, target: string, options: DownloadOptions): Promise<Downloaded | null> {
  const { signal } = options;
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const isFirst = url.origin === first.origin;
    const answer = await ask(url, isFirst ? options : { ...options, authorization: '' });
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) {
      const file = createWriteStream(target, { mode: 0o600 });
      await pipeline(answer, limited(options.maxBytes), file, { signal });
      const modified = Date.parse(headers['last-modified'] ?? '');
      const modifiedAt = Number.isNaN(modified) ? undefined : new Date(modified).toISOString();
      return { modifiedAt, etag: headers.etag };
    }
    answer.destroy();
    if (statusCode === 304) return null;
    const { location } = headers;
    if (statusCode < 300 || statusCode >= 400 || location === undefined) throw failed(first, statusCode);
    if (!URL.canParse(location, url.href)) throw moved(first, 'redirects to no address');
    const next = parseAddress(new URL(location, url).href);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw unsafe(first);
    url = next;
  }
  throw moved(first, `redirects more than ${MAX_REDIRECTS} times`);
}

async function ask(url: URL, options: DownloadOptions): Promise<IncomingMessage> {
  const { authorization, etag, speed: limits = SPEED, maxBytes, signal } = options;
  const outgoing = guardedRequest(url, await checkedAddresses(url, options), {
    headers: {
      'user-agent': `pith/${VERSION}`,
      ...(authorization === '' ? {} : { authorization }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    },
    agent: false,
    fail: (message) => new Error(message),
    ...{ limits, maxBytes, signal },
  });
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject).once('response', (answer) => {
      outgoing.once('error', (error) => answer.destroy(error));
      resolve(answer);
    });
    outgoing.end();
  });
}

function limited(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      bytes += data.length;
      done(bytes > maxBytes ? new CopyTooLargeError(`it has more than ${maxBytes} bytes`) : null, data);
    },
  });
}

const unsafe = (url: URL): InvalidArgumentError =>
  new InvalidArgumentError(`${url.origin} redirects from https to http.`, {
    reason: 'source_moved',
    hint: 'Give an address of https that does not lead to one of http.',
  });

const REASONS: Readonly<Record<number, string>> = {
  401: 'source_refused',
  403: 'source_refused',
  404: 'source_missing',
  410: 'source_missing',
};

const failed = (url: URL, status: number): BackendUnavailableError =>
  new BackendUnavailableError(`${url.origin}${url.pathname} answers with status ${status}.`, {
    reason: REASONS[status] ?? 'source_unavailable',
    hint: 'Check the address. For a private file, name a variable with a token as the `secret` of the source.',
  });

const moved = (url: URL, how: string): InvalidArgumentError =>
  new InvalidArgumentError(`${url.origin}${url.pathname} ${how}.`, {
    reason: 'source_moved',
    hint: 'Give the address of the file itself.',
  });

const tooSlow = (url: URL): BackendUnavailableError =>
  new BackendUnavailableError(`${url.origin}${url.pathname} did not arrive in time.`, {
    reason: 'source_timeout',
    hint: 'Try again, or download it and give the file.',
  });

const unreachable = (url: URL, cause: unknown): BackendUnavailableError =>
  new BackendUnavailableError(
    `${url.origin}${url.pathname} was not transferred: ${cause instanceof Error ? cause.message : String(cause)}.`,
    {
      reason: 'source_unavailable',
      hint: 'Check the address and the network, and try again.',
      cause,
    },
  );
