import { setTimeout as delay } from 'node:timers/promises';
import type { PriorDiscovery, Tool } from '@modelcontextprotocol/client';
import { clipText } from '../../../text/span.js';
import type { ConnectionHooks, ProviderConnection } from './provider-connection.js';
import { failureText } from './provider-failures.js';
import { LastLines } from './provider-log.js';

/** Wait before the first restart (ms); doubled for each further one. A part of it is random. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** The time before a restart, between half and all of an interval that doubles. @param failures  in a row, from 1 */
export function waitBeforeRestart(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(longest * (0.5 + random / 2));
}

/** Waits without keeping the process alive. @throws AbortError */
async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false });
}

/** A connection that lasts this long resets the restart delay (ms). */
const STABLE_MS = 30_000;
/** Shortest time between two readings of the tool list (ms). */
const BETWEEN_LISTS_MS = 1_000;
/** Longest text of a failure (characters). */
const MAX_FAILURE = 500;

/** The dependencies of a link; tests replace them. */
export interface LinkParts {
  readonly open: (prior: PriorDiscovery | null, hooks: ConnectionHooks) => Promise<ProviderConnection>;
  /** Called with all tools of the provider after each connection and each change. */
  readonly onTools: (tools: readonly Tool[]) => void | Promise<void>;
  readonly log: {
    readonly debug: (line: string) => void;
    readonly warn: (line: string) => void;
    /** True if warnings may quote the output of the program. */
    readonly showsOutput: boolean;
  };
  /** Replaces the secrets of the provider in texts that are logged or shown. */
  readonly hide: (text: string) => string;
  /** Milliseconds; monotonic. */
  readonly now: () => number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A connection to a provider, for operators. Times are in milliseconds since the epoch. */
export interface LinkState {
  readonly isConnected: boolean;
  /** When it was connected or lost; before the first connection, when the server started. */
  readonly since: number;
  /** The last failure; null if there was none. */
  readonly failure: { readonly at: number; readonly text: string } | null;
  /** The next attempt to connect; null while it is connected or connecting. */
  readonly retryAt: number | null;
}

/** Keeps a connection to one provider: connects in the background, and again after a failure. */
export class KeptConnection {
  private readonly ending = new AbortController();
  private readonly wait: NonNullable<LinkParts['wait']>;
  private connection: ProviderConnection | null = null;
  private prior: PriorDiscovery | null = null;
  private failures = 0;
  private retryAt = 0;
  private listing: Promise<void> | null = null;
  private running: Promise<void> = Promise.resolve();
  private since: number;
  private failure: LinkState['failure'] = null;

  constructor(private readonly parts: LinkParts) {
    this.wait = parts.wait ?? waitFor;
    this.since = parts.clock();
  }

  /** Null while there is no connection. */
  get current(): ProviderConnection | null {
    return this.connection;
  }

  get state(): LinkState {
    const { connection, since, failure, parts } = this;
    const waitsMs = this.retryAt - parts.now();
    const retryAt = connection === null && waitsMs > 0 ? Math.round(parts.clock() + waitsMs) : null;
    return { isConnected: connection !== null, since, failure, retryAt };
  }

  /** Connects in the background. */
  start(): void {
    this.running = this.keepConnected();
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.connection?.close();
    await this.running;
  }

  /** Seconds until the next attempt to connect, at least 1. */
  get retryAfterS(): number {
    return Math.max(1, Math.ceil((this.retryAt - this.parts.now()) / 1_000));
  }

  /** Notes a failure for operators. @returns its text without secrets */
  noteFailure(text: string): string {
    const hidden = this.parts.hide(text);
    this.failure = { at: this.parts.clock(), text: clipText(hidden, MAX_FAILURE) };
    return hidden;
  }

  private async keepConnected(): Promise<void> {
    const { parts, ending } = this;
    while (!ending.signal.aborted) {
      const from = parts.now();
      await this.connectOnce();
      if (ending.signal.aborted) return;
      this.failures = parts.now() - from >= STABLE_MS ? 1 : this.failures + 1;
      const ms = waitBeforeRestart(this.failures, parts.random());
      this.retryAt = parts.now() + ms;
      parts.log.warn(`not connected; trying again in ${Math.ceil(ms / 1_000)} s`);
      await this.wait(ms, ending.signal).catch(() => undefined);
    }
  }

  /** Connects and resolves when the connection has ended or could not be made. */
  private async connectOnce(): Promise<void> {
    const { parts } = this;
    const last = new LastLines();
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    try {
      const connection = await parts.open(this.prior, {
        onToolsChanged: () => this.list(),
        onClose,
        onLine: (line) => {
          const hidden = parts.hide(line);
          parts.log.debug(hidden);
          if (parts.log.showsOutput) last.add(hidden);
        },
        signal: this.ending.signal,
      });
      if (this.ending.signal.aborted) return await connection.close();
      this.prior = connection.prior;
      const ended = await this.use(connection, closed);
      if (!this.ending.signal.aborted) parts.log.warn(last.after(ended));
    } catch (error) {
      this.prior = null;
      parts.log.warn(last.after(this.noteFailure(failureText(error))));
    }
  }

  /** Uses a connection until it ends. @returns why it ended */
  private async use(connection: ProviderConnection, closed: Promise<void>): Promise<string> {
    try {
      await this.parts.onTools(await connection.listTools());
      this.connection = connection;
      this.since = this.parts.clock();
      const { failure } = this;
      await closed;
      return this.failure && this.failure !== failure
        ? this.failure.text
        : this.noteFailure('the connection ended');
    } finally {
      if (this.connection) this.since = this.parts.clock();
      this.connection = null;
      await connection.close();
    }
  }

  /** Reads the tools again. Changes meanwhile are read together, after a pause. */
  private list(): void {
    const { connection, parts, ending } = this;
    if (this.listing || !connection) return;
    this.listing = this.wait(BETWEEN_LISTS_MS, ending.signal)
      .then(() => {
        this.listing = null;
        return connection.listTools();
      })
      .then((tools) => parts.onTools(tools))
      .catch((error: unknown) => {
        this.listing = null;
        if (ending.signal.aborted) return;
        parts.log.warn(this.noteFailure(`its tools could not be listed: ${failureText(error)}`));
      });
  }
}
