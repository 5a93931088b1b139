import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import { signWebhook } from './webhook-signature.js';

/** Maximum time of one attempt (ms). */
const ATTEMPT_MS = 5_000;
/** HTTP status of a receiver that wants no further messages. */
const GONE = 410;

/** A message for the receiver. */
export interface OutgoingMessage {
  /** The same for every attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  /** When it becomes useless (ms since the epoch); it is not sent again after this time. */
  readonly until: number;
}

/** How messages are sent. */
export interface SendingParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Pauses between the attempts (ms). */
  readonly pausesMs: readonly number[];
  /** Maximum time of one attempt (ms). Default: 5,000. */
  readonly attemptMs?: number;
}

/** Sends signed messages to the webhook of the operators, with several attempts. */
export class WebhookSender {
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();

  /** @param config  with a URL and a secret */
  constructor(
    private readonly config: Pick<ApprovalWebhookConfig, 'url' | 'secret'>,
    private readonly parts: SendingParts,
  ) {}

  get isClosed(): boolean {
    return this.stopping.signal.aborted;
  }

  /**
   * @returns the reason why the message was not delivered, without the URL and the secret; null if it was delivered or
   *   the sender was closed meanwhile
   */
  async send(message: OutgoingMessage): Promise<string | null> {
    const { now, pausesMs } = this.parts;
    let problem = '';
    for (const pauseMs of [...pausesMs, null]) {
      const result = await this.attempt(message);
      if (result === null || this.isClosed) return null;
      problem = result.problem;
      if (result.isFinal || pauseMs === null || now() + pauseMs >= message.until) break;
      const { signal } = this.stopping;
      const isClosed = await pause(pauseMs, false, { ref: false, signal }).catch(() => true);
      if (isClosed) return null;
    }
    return problem;
  }

  /** Makes no further attempts. @param graceMs  time for those that run */
  close(graceMs = 0): void {
    this.stopping.abort();
    if (graceMs === 0) this.ending.abort();
    else setTimeout(() => this.ending.abort(), graceMs).unref();
  }

  /** Makes one attempt. @returns null if the message was accepted */
  async attempt({ id, body }: Pick<OutgoingMessage, 'id' | 'body'>): Promise<{
    readonly problem: string;
    readonly isFinal: boolean;
  } | null> {
    const { url, secret } = this.config;
    const timeout = AbortSignal.timeout(this.parts.attemptMs ?? ATTEMPT_MS);
    const message = { id, timestamp: Math.floor(this.parts.now() / 1_000), body };
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': message.id,
          'webhook-timestamp': String(message.timestamp),
          'webhook-signature': signWebhook(message, secret),
        },
        redirect: 'manual',
        signal: AbortSignal.any([this.ending.signal, timeout]),
      });
      await response.body?.cancel();
      if (response.ok) return null;
      return { problem: `the receiver answered ${response.status}`, isFinal: response.status === GONE };
    } catch {
      // The error itself may contain the URL.
      return { problem: timeout.aborted ? 'no answer in time' : 'no connection', isFinal: false };
    }
  }
}

interface QueueParts extends SendingParts {
  /** Messages that are sent at the same time, including pauses between their attempts. */
  readonly maxSending: number;
  /** Queue length; messages beyond it are dropped. */
  readonly maxWaiting: number;
}

interface Entry {
  readonly message: OutgoingMessage;
  /** Called if the message was not delivered, with a reason that contains neither the URL nor the secret. */
  readonly onLost: (problem: string) => void;
}

/** Sends messages to the webhook of the operators in the background. */
export class WebhookQueue {
  private readonly sender: WebhookSender;
  private readonly waiting: Entry[] = [];
  private readonly sending = new Set<Promise<void>>();

  /** @param config  with a URL and a secret */
  constructor(
    config: Pick<ApprovalWebhookConfig, 'url' | 'secret'>,
    private readonly parts: QueueParts,
  ) {
    this.sender = new WebhookSender(config, parts);
  }

  add(entry: Entry): void {
    if (this.sender.isClosed) return;
    if (this.waiting.length >= this.parts.maxWaiting) return entry.onLost('too many wait');
    this.waiting.push(entry);
    this.sendNext();
  }

  /** Makes at most one further attempt for each message. @param graceMs  time for all of them */
  async close(graceMs = 0): Promise<void> {
    this.sender.close(graceMs);
    while (this.sending.size > 0) await Promise.all(this.sending);
  }

  private sendNext(): void {
    while (this.sending.size < this.parts.maxSending) {
      const entry = this.waiting.shift();
      if (!entry) return;
      const sent = this.deliver(entry).finally(() => {
        this.sending.delete(sent);
        this.sendNext();
      });
      this.sending.add(sent);
    }
  }

  private async deliver({ message, onLost }: Entry): Promise<void> {
    const problem = await this.sender.send(message);
    if (problem !== null) onLost(problem);
  }
}
