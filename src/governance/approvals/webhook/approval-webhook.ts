import type { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import type { Approval } from '../approval.js';
import { approvalsNeeded } from '../decide-approval.js';
import { WebhookQueue } from './send-webhook.js';

/** Pauses between the attempts (ms). */
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
/** Attempts last up to half an hour, so one receiver that fails must not hold up the others. */
const LIMITS = { maxSending: 1_000, maxWaiting: 1_000 } as const;

interface WebhookParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for a notification that was not delivered. The message contains neither the URL nor the secret. */
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

/** Notifies another system of calls that wait for approval. Calls do not wait for it. */
export class ApprovalWebhook {
  private readonly queue: WebhookQueue;

  /** @param config  with a URL and a secret */
  constructor(
    private readonly config: ApprovalWebhookConfig,
    private readonly parts: WebhookParts,
  ) {
    this.queue = new WebhookQueue(config, { pausesMs: PAUSES_MS, ...LIMITS, ...parts });
  }

  /** Delivers a notification in the background, with several attempts until the request expires. */
  notify(approval: Approval): void {
    const { id, expiresAt: until } = approval;
    this.queue.add({
      message: { id: `approval_${id}`, body: notificationOf(approval, this.config), until },
      onLost: (problem) => this.parts.onFailure(`approval ${id} was not announced: ${problem}`),
    });
  }

  /** Stops all attempts. What was not delivered is lost; the requests are in the store. */
  close(): void {
    void this.queue.close();
  }
}
