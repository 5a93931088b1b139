import type { CallToolResult } from '@modelcontextprotocol/client';
import type { PithError } from '../../../core/errors.js';
import { RateLimits } from '../../../mcp/pipeline/caller-limits.js';
import type { ProviderConfig } from '../provider-file.js';
import { KeptConnection, type LinkParts, type LinkState } from './kept-connection.js';
import { loadSdk } from './load-sdk.js';
import type { CallArguments, ProviderConnection, Waiting } from './provider-connection.js';
import { answerToFailure, failureText, isConnectionLost, providerUnavailable } from './provider-failures.js';

/** Calls in a row without an answer after which the provider is restarted. */
const MAX_UNANSWERED = 3;

/** Calls the tools of one provider within its limits, over a connection that is kept. */
export class ProviderLink {
  private readonly limits: RateLimits;
  private readonly kept: KeptConnection;
  /** Calls in a row that were not answered, and their connection. */
  private unanswered: { readonly on: ProviderConnection; readonly calls: number } | null = null;

  constructor(
    readonly config: ProviderConfig,
    private readonly parts: LinkParts,
  ) {
    const { name, ratePerMinute, maxConcurrent } = config;
    this.limits = new RateLimits(
      { ratePerMinute, maxConcurrentCalls: maxConcurrent },
      `The provider ${name}`,
    );
    this.kept = new KeptConnection(parts);
  }

  /** Id of the process of the provider; null without a running program. */
  get pid(): number | null {
    return this.kept.current?.pid ?? null;
  }

  get isConnected(): boolean {
    return this.kept.current !== null;
  }

  get state(): LinkState {
    return this.kept.state;
  }

  /** Connects in the background. */
  start(): void {
    this.kept.start();
  }

  close(): Promise<void> {
    return this.kept.close();
  }

  /** @throws BackendUnavailableError while there is no connection */
  checkReady(): void {
    if (!this.isConnected) throw this.unavailable();
  }

  /**
   * Calls a tool. @param tool  as the provider lists it
   * @throws BudgetExceededError, BackendUnavailableError, DeadlineExceededError; the reason of the signal
   */
  async call(tool: string, args: CallArguments, waiting: Waiting): Promise<CallToolResult> {
    waiting.signal.throwIfAborted();
    const release = this.limits.enter(this.config.name, this.parts.now());
    try {
      return await this.send(tool, args, waiting);
    } finally {
      release();
    }
  }

  private unavailable(): PithError {
    return providerUnavailable({ provider: this.config.name, retryAfterS: this.kept.retryAfterS });
  }

  private async send(tool: string, args: CallArguments, waiting: Waiting): Promise<CallToolResult> {
    const { current: connection } = this.kept;
    if (!connection) throw this.unavailable();
    const { name: provider, timeoutMs } = this.config;
    try {
      const result = await connection.callTool(tool, args, { ...waiting, timeoutMs });
      this.unanswered = null;
      return result;
    } catch (error) {
      waiting.signal.throwIfAborted();
      await this.noteFailed(connection, error);
      const failed = { provider, timeoutMs, retryAfterS: this.kept.retryAfterS, hide: this.parts.hide };
      return answerToFailure(error, failed, await loadSdk());
    }
  }

  /** Closes a connection that is broken. An HTTP connection does not end by itself, and a program may hang. */
  private async noteFailed(connection: ProviderConnection, error: unknown): Promise<void> {
    const sdk = await loadSdk();
    const isTimeout = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout;
    const before = this.unanswered?.on === connection ? this.unanswered.calls : 0;
    const calls = isTimeout ? before + 1 : 0;
    this.unanswered = { on: connection, calls };
    if (!isConnectionLost(error, sdk) && calls < MAX_UNANSWERED) return;
    this.kept.noteFailure(
      isTimeout ? `${MAX_UNANSWERED} calls in a row were not answered` : failureText(error),
    );
    void connection.close();
  }
}
