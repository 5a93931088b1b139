import { performance } from 'node:perf_hooks';
import type { Script } from './scratch-scripts.js';
import { codeOf, RedisBroken, RedisRefusal } from './redis-failures.js';

/** Where Redis is, and how long it may be silent. */
export interface RedisAddress {
  /** `redis://` or `rediss://`, with user, password and database where needed. */
  readonly url: string;
  /** How long nothing may come of a connection that is to be made, or that something is awaited of (ms). */
  readonly patienceMs: number;
}

type Send = (args: (string | Buffer)[]) => Promise<unknown>;

/** A client of the library, as far as we need it. */
interface Line {
  readonly isOpen: () => boolean;
  readonly destroy: () => void;
  readonly send: Send;
  /** Commands without an answer. */
  awaited: number;
  /** Since when nothing has come of what is awaited; by a clock that never goes back. */
  silentSince: number;
}

/**
 * One connection, made when it is needed, and anew after it broke or fell silent. It queues nothing and repeats
 * nothing: whoever calls decides about that. So nothing of it goes on when nobody calls.
 */
export class RedisConnection {
  private line: Promise<Line> | null = null;
  /** The same once it is made. */
  private current: Line | null = null;
  private isClosed = false;

  constructor(private readonly address: RedisAddress) {}

  /** Runs a script. @throws RedisRefusal, RedisBroken, or the signal's reason */
  run(script: Script, [key, ...args]: readonly (string | Buffer)[], signal: AbortSignal): Promise<unknown> {
    const rest = ['1', key ?? '', ...args];
    return this.ask(signal, (send) =>
      send(['EVALSHA', script.sha, ...rest]).catch((error: unknown) => {
        // Redis does not know it, since it started or since it was told to forget.
        if (!(error instanceof RedisRefusal) || error.code !== 'NOSCRIPT') throw error;
        return send(['EVAL', script.text, ...rest]);
      }),
    );
  }

  /** Asks whether anybody is there. @throws as `run` */
  async ping(signal: AbortSignal): Promise<void> {
    await this.ask(signal, (send) => send(['PING']));
  }

  /** Lets go for good. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.current) this.drop(this.current);
  }

  private async ask<T>(signal: AbortSignal, use: (send: Send) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      const line = await Promise.race([this.open(), stopped]);
      return await Promise.race([this.awaited(line, use), stopped]).finally(() => this.dropIfSilent(line));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private async awaited<T>(line: Line, use: (send: Send) => Promise<T>): Promise<T> {
    if (line.awaited++ === 0) line.silentSince = performance.now();
    try {
      return await use(line.send);
    } finally {
      line.awaited--;
      line.silentSince = performance.now();
    }
  }

  private async open(): Promise<Line> {
    if (this.isClosed) throw new RedisBroken('closed by Pith');
    this.line ??= this.dial();
    const line = await this.line;
    if (!this.dropIfSilent(line)) return line;
    this.line ??= this.dial();
    return this.line;
  }

  private dial(): Promise<Line> {
    const dialled = connect(this.address, (line) => this.drop(line));
    dialled.then(
      (line) => {
        this.current = line;
        // Closed, or broken, while it was being made.
        if (this.isClosed || !line.isOpen()) this.drop(line);
      },
      () => {
        this.line = null;
      },
    );
    return dialled;
  }

  /** Commands that were cancelled leave the connection as it is; one that answers nobody is given up. */
  private dropIfSilent(line: Line): boolean {
    const isSilent =
      line.awaited > 0 && performance.now() - line.silentSince >= this.address.patienceMs * 0.9;
    if (isSilent) this.drop(line);
    return isSilent || !line.isOpen();
  }

  private drop(line: Line): void {
    if (this.current === line) {
      this.current = null;
      this.line = null;
    }
    if (line.isOpen()) line.destroy();
  }
}

/** @param onBroken  told when the connection ends otherwise than by us */
async function connect({ url, patienceMs }: RedisAddress, onBroken: (line: Line) => void): Promise<Line> {
  const { createClient, ErrorReply, RESP_TYPES } = await import('@redis/client');
  const inOurWords = (error: unknown): never => {
    if (error instanceof ErrorReply) throw new RedisRefusal(codeOf(error.message));
    throw new RedisBroken('the connection failed', { cause: error });
  };
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: patienceMs, reconnectStrategy: false },
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
  });
  const line: Line = {
    isOpen: () => client.isOpen,
    destroy: () => client.destroy(),
    send: (args) => client.sendCommand(args).catch(inOurWords),
    awaited: 0,
    silentSince: 0,
  };
  client.on('error', () => onBroken(line));
  // The library bounds how long a connection takes, but not how long it takes to be let in.
  const giveUp = setTimeout(() => client.isOpen && client.destroy(), patienceMs);
  await client
    .connect()
    .catch(inOurWords)
    .finally(() => clearTimeout(giveUp));
  return line;
}
