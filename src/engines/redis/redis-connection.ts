import { performance } from 'node:perf_hooks';
import { unlessAborted } from '../../core/call-signal.js';
import { BackendUnavailableError } from '../../core/errors.js';
import type { Script } from './scratch-scripts.js';

/** The connection failed. */
export class RedisBroken extends Error {}

/** Redis answered with an error. Its text is not kept, since it may quote the command. */
class RedisRefusal extends Error {
  /** @param code  the first word of the error, such as NOSCRIPT */
  constructor(readonly code: string) {
    super(`Redis returned the error ${code}.`);
  }
}

const TEMPORARY = ['LOADING', 'BUSY', 'TRYAGAIN', 'CLUSTERDOWN', 'MASTERDOWN', 'READONLY'];

const HINTS: Readonly<Record<string, string>> = {
  NOAUTH: 'The operator should add the Redis password to PITH_REDIS_URL.',
  WRONGPASS: 'The operator should correct the user and password in PITH_REDIS_URL.',
  NOPERM:
    'The operator should allow the user in PITH_REDIS_URL to run scripts on keys that start with pith:scratch:.',
  OOM: 'The operator should give Redis more memory, or lower PITH_SCRATCH_BYTES.',
};

const codeOf = (text: string): string => /^[A-Z]+(?= |$)/.exec(text)?.[0] ?? 'ERR';

/** True for temporary failures. */
export function isTransientRedis(error: unknown): boolean {
  if (error instanceof RedisRefusal) return TEMPORARY.includes(error.code);
  return error instanceof RedisBroken;
}

/** Rethrows a permanent Redis error as an error for callers, and other errors unchanged. */
export function rethrow(error: unknown): never {
  if (!(error instanceof RedisRefusal) || isTransientRedis(error)) throw error;
  throw new BackendUnavailableError(`Redis rejected the request (${error.code}).`, {
    reason: 'redis',
    hint: HINTS[error.code] ?? 'The operator should check the Redis log.',
    cause: error,
  });
}

interface RedisAddress {
  /** `redis://` or `rediss://`, with user, password and database where needed. */
  readonly url: string;
  /** Time limit for connecting and for awaited answers (ms). */
  readonly silenceLimitMs: number;
}

type Send = (args: (string | Buffer)[]) => Promise<unknown>;

/** The part of the library's client that is used. */
interface RedisClient {
  readonly isOpen: () => boolean;
  readonly destroy: () => void;
  readonly send: Send;
  /** Number of commands without an answer. */
  awaited: number;
  /** Monotonic time of the last answer, or of the first command since then. */
  silentSince: number;
}

/** One connection, opened when needed and again after it broke or stopped answering. It never queues or retries. */
export class RedisConnection {
  private opening: Promise<RedisClient> | null = null;
  /** The client of `opening`, once it is connected. */
  private current: RedisClient | null = null;
  private isClosed = false;

  constructor(private readonly address: RedisAddress) {}

  /** Runs a script. @throws RedisRefusal, RedisBroken, or the signal's reason */
  run(script: Script, [key, ...args]: readonly (string | Buffer)[], signal: AbortSignal): Promise<unknown> {
    const rest = ['1', key ?? '', ...args];
    return this.ask(signal, (send) =>
      send(['EVALSHA', script.sha, ...rest]).catch((error: unknown) => {
        // Redis has lost the script: it was restarted, or its script cache was flushed.
        if (!(error instanceof RedisRefusal) || error.code !== 'NOSCRIPT') throw error;
        return send(['EVAL', script.text, ...rest]);
      }),
    );
  }

  /** Checks that Redis answers. @throws as `run` */
  async ping(signal: AbortSignal): Promise<void> {
    await this.ask(signal, (send) => send(['PING']));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.current) this.drop(this.current);
  }

  private async ask<T>(signal: AbortSignal, use: (send: Send) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const client = await unlessAborted(signal, this.open());
    return unlessAborted(signal, this.awaited(client, use)).finally(() => this.dropIfSilent(client));
  }

  private async awaited<T>(client: RedisClient, use: (send: Send) => Promise<T>): Promise<T> {
    if (client.awaited++ === 0) client.silentSince = performance.now();
    try {
      return await use(client.send);
    } finally {
      client.awaited--;
      client.silentSince = performance.now();
    }
  }

  private async open(): Promise<RedisClient> {
    if (this.isClosed) throw new RedisBroken('closed by Pith');
    this.opening ??= this.connect();
    const client = await this.opening;
    if (!this.dropIfSilent(client)) return client;
    this.opening ??= this.connect();
    return this.opening;
  }

  private connect(): Promise<RedisClient> {
    const connecting = connect(this.address, (client) => this.drop(client));
    connecting.then(
      (client) => {
        this.current = client;
        // It may have been closed or broken while it was connecting.
        if (this.isClosed || !client.isOpen()) this.drop(client);
      },
      () => {
        this.opening = null;
      },
    );
    return connecting;
  }

  /** Keeps a connection whose commands were cancelled; drops one that has stopped answering. */
  private dropIfSilent(client: RedisClient): boolean {
    const isSilent =
      client.awaited > 0 && performance.now() - client.silentSince >= this.address.silenceLimitMs * 0.9;
    if (isSilent) this.drop(client);
    return isSilent || !client.isOpen();
  }

  private drop(client: RedisClient): void {
    if (this.current === client) {
      this.current = null;
      this.opening = null;
    }
    if (client.isOpen()) client.destroy();
  }
}

/** @param onBroken  called when the connection fails, but not when we close it */
async function connect(
  { url, silenceLimitMs }: RedisAddress,
  onBroken: (client: RedisClient) => void,
): Promise<RedisClient> {
  const { createClient, ErrorReply, RESP_TYPES } = await import('@redis/client');
  const rethrowOwn = (error: unknown): never => {
    if (error instanceof ErrorReply) throw new RedisRefusal(codeOf(error.message));
    throw new RedisBroken('the connection failed', { cause: error });
  };
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: silenceLimitMs, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
  });
  const wrapped: RedisClient = {
    isOpen: () => client.isOpen,
    destroy: () => client.destroy(),
    send: (args) => client.sendCommand(args).catch(rethrowOwn),
    awaited: 0,
    silentSince: 0,
  };
  client.on('error', () => onBroken(wrapped));
  // The library limits the time for connecting, but not for authentication.
  const giveUp = setTimeout(() => client.isOpen && client.destroy(), silenceLimitMs);
  await client
    .connect()
    .catch(rethrowOwn)
    .finally(() => clearTimeout(giveUp));
  return wrapped;
}
