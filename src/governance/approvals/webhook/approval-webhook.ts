import { setTimeout as pause } from 'node:timers/promises';
import type { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import type { Approval } from '../../../core/ports/approval-store.port.js';
import { approvalsNeeded } from '../decide-approval.js';
import { signWebhook } from './webhook-signature.js';

/** Maximum time of one attempt (ms). */
const ATTEMPT_MS = 5_000;
/** Pauses between the attempts (ms). */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
/** Most notifications that are being delivered at a time; further ones are dropped. */
const MAX_DELIVERIES = 1_000;
/** HTTP status of a receiver that wants no further messages. */
const GONE = 410;

interface WebhookParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of a notification that was not delivered. The message contains neither the URL nor the secret. */
  readonly onFailure: (message: string) => void;
  readonly attemptMs?: number;
  readonly pausesMs?: readonly number[];
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** The body of the notification about a request. */
export function notificationOf(approval: Approval, config: ApprovalWebhookConfig): string {
  const { id, tool, version, principal, agent, rule, effect, safety, requestedAt, expiresAt } = approval;
  const base = config.linkBase.replace(/\/+$/, '');
  const data = {
    ...{ id, tool, version, principal, agent, rule, effect, safety },
    approvals_needed: approvalsNeeded(approval),
    requested_at: isoOf(requestedAt),
    expires_at: isoOf(expiresAt),
    ...(base !== '' && { link: `${base}/admin/approvals/${id}` }),
    ...(config.hasArguments && {
      arguments_json: approval.argumentsText,
      arguments_omitted: approval.argumentsOmitted,
    }),
  };
  return JSON.stringify({ type: 'approval.requested', timestamp: isoOf(requestedAt), data });
}

/** Tells another system of calls that wait for approval. Calls do not wait for it. */
export class ApprovalWebhook {
  private readonly closing = new AbortController();
  private running = 0;

  /** @param config  with a URL and a secret */
  constructor(
    private readonly config: ApprovalWebhookConfig,
    private readonly parts: WebhookParts,
  ) {}

  /** Delivers a notification in the background, with several attempts until the request expires. */
  notify(approval: Approval): void {
    if (this.closing.signal.aborted) return;
    if (this.running >= MAX_DELIVERIES) {
      this.parts.onFailure(`too many notifications wait; approval ${approval.id} was not announced`);
      return;
    }
    this.running++;
    void this.deliver(approval).finally(() => this.running--);
  }

  /** Stops all attempts. What was not delivered is lost; the requests are in the store. */
  close(): void {
    this.closing.abort();
  }

  private async deliver(approval: Approval): Promise<void> {
    const body = notificationOf(approval, this.config);
    const { now, onFailure, pausesMs = PAUSES_MS } = this.parts;
    let problem = '';
    for (const pauseMs of [...pausesMs, null]) {
      const result = await this.attempt(approval.id, body);
      if (result === null || this.closing.signal.aborted) return;
      problem = result.problem;
      if (result.isFinal || pauseMs === null || now() + pauseMs >= approval.expiresAt) break;
      const { signal } = this.closing;
      const isClosed = await pause(pauseMs, false, { ref: false, signal }).catch(() => true);
      if (isClosed) return;
    }
    onFailure(`approval ${approval.id} was not announced: ${problem}`);
  }

  /** @returns null if the message was accepted */
  private async attempt(
    id: string,
    body: string,
  ): Promise<{ readonly problem: string; readonly isFinal: boolean } | null> {
    const { url, secret } = this.config;
    const timeout = AbortSignal.timeout(this.parts.attemptMs ?? ATTEMPT_MS);
    const message = { id: `approval_${id}`, timestamp: Math.floor(this.parts.now() / 1_000), body };
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
        signal: AbortSignal.any([this.closing.signal, timeout]),
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
