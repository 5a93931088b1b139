import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, PriorDiscovery, Tool } from '@modelcontextprotocol/client';
import { RateLimits } from '../../mcp/pipeline/rate-limits.js';
import { clipText } from '../../text/clip-text.js';
import { loadSdk } from './load-sdk.js';
import type { CallArguments, ConnectionHooks, ProviderConnection } from './provider-connection.js';
import { answerToFailure, failureText, isConnectionLost, providerUnavailable } from './provider-failures.js';
import type { ProviderConfig } from './provider-file.js';

/** Wait before the first restart (ms); doubled for each further one. A part of it is random. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A connection that lasts this long resets the restart delay (ms). */
const STABLE_MS = 30_000;
/** Shortest time between two readings of the tool list (ms). */
const BETWEEN_LISTS_MS = 1_000;
/** Calls in a row without an answer after which the provider is restarted. */
const MAX_UNANSWERED = 3;

/** Longest text of a failure (characters). */
const MAX_FAILURE = 500;

/** The surroundings of a link, which tests replace. */
export interface LinkParts {
  readonly open: (prior: PriorDiscovery | null, hooks: ConnectionHooks) => Promise<ProviderConnection>;
  /** Called with all tools of the provider after each connection and each change. */
  readonly onTools: (tools: readonly Tool[]) => void | Promise<void>;
  readonly log: { readonly debug: (line: string) => void; readonly warn: (line: string) => void };
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
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false });
}

/** The time before a restart, between half and all of an interval that doubles. @param failures  in a row, from 1 */
export function waitBeforeRestart(failures: number, random: number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 16));
  return Math.round(longest * (0.5 + random / 2));
}

/** Keeps a connection to one provider: connects in the background, and again after a failure. */
export class ProviderLink {
  private readonly ending = new AbortController();
  private readonly limits: RateLimits;
  private readonly wait: NonNullable<LinkParts['wait']>;
  private connection: ProviderConnection | null = null;
  private prior: PriorDiscovery | null = null;
  private failures = 0;
  private retryAt = 0;
  private unanswered = 0;
  private listing: Promise<void> | null = null;
  private running: Promise<void> = Promise.resolve();
  private since: number;
  private failure: LinkState['failure'] = null;

  constructor(
    readonly config: ProviderConfig,
    private readonly parts: LinkParts,
  ) {
    const { name, ratePerMinute, maxConcurrent } = config;
    this.limits = new RateLimits(
      { ratePerMinute, maxConcurrentCalls: maxConcurrent },
      `The provider ${name}`,
    );
    this.wait = parts.wait ?? waitFor;
    this.since = parts.clock();
  }

  /** Id of the process of the provider; null if there is none. */
  get pid(): number | null {
    return this.connection?.pid ?? null;
  }

  get isConnected(): boolean {
    return this.connection !== null;
  }

  get state(): LinkState {
    const { isConnected, since, failure } = this;
    return { isConnected, since, failure };
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

  /**
   * Calls a tool. @param tool  as the provider lists it
   * @throws BudgetExceededError, BackendUnavailableError, DeadlineExceededError; the reason of the signal
   */
  async call(tool: string, args: CallArguments, signal: AbortSignal): Promise<CallToolResult> {
    signal.throwIfAborted();
    const release = this.limits.enter(this.config.name, this.parts.now());
    try {
      return await this.send(tool, args, signal);
    } finally {
      release();
    }
  }

  private async send(tool: string, args: CallArguments, signal: AbortSignal): Promise<CallToolResult> {
    const { connection } = this;
    const { name: provider, timeoutMs } = this.config;
    if (!connection) throw providerUnavailable({ provider, retryAfterS: this.retryAfterS() });
    try {
      const result = await connection.callTool(tool, args, { signal, timeoutMs });
      this.unanswered = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const sdk = await loadSdk();
      const isTimeout = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout;
      this.unanswered = isTimeout ? this.unanswered + 1 : 0;
      // An HTTP connection does not end by itself, and a program may hang.
      if (isConnectionLost(error, sdk) || this.unanswered >= MAX_UNANSWERED) {
        this.noteFailure(
          isTimeout ? `${MAX_UNANSWERED} calls in a row were not answered` : failureText(error),
        );
        void connection.close();
      }
      const failed = { provider, timeoutMs, retryAfterS: this.retryAfterS(), hide: this.parts.hide };
      return answerToFailure(error, failed, sdk);
    }
  }

  private noteFailure(text: string): string {
    const hidden = this.parts.hide(text);
    this.failure = { at: this.parts.clock(), text: clipText(hidden, MAX_FAILURE) };
    return hidden;
  }

  private retryAfterS(): number {
    return Math.max(1, Math.ceil((this.retryAt - this.parts.now()) / 1_000));
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
    let onClose = (): void => undefined;
    const closed = new Promise<void>((resolve) => (onClose = resolve));
    try {
      const connection = await parts.open(this.prior, {
        onToolsChanged: () => this.list(),
        onClose,
        onLine: (line) => parts.log.debug(parts.hide(line)),
        signal: this.ending.signal,
      });
      if (this.ending.signal.aborted) return await connection.close();
      this.prior = connection.prior;
      await this.use(connection, closed);
    } catch (error) {
      this.prior = null;
      parts.log.warn(this.noteFailure(failureText(error)));
    }
  }

  private async use(connection: ProviderConnection, closed: Promise<void>): Promise<void> {
    try {
      await this.parts.onTools(await connection.listTools());
      this.connection = connection;
      this.since = this.parts.clock();
      this.unanswered = 0;
      const { failure } = this;
      await closed;
      if (this.failure === failure) this.noteFailure('the connection ended');
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
