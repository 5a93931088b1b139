import type { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import type { Clock } from '../../../core/turns/clock.js';
import type { FinishedCall } from '../../../mcp/pipeline/call-watch.js';
import { type OutgoingMessage, type SendingParts, WebhookQueue } from './send-webhook.js';

/** Pauses between the attempts (ms). */
const PAUSES_MS = [5_000, 30_000, 120_000] as const;
const LIMITS = { maxSending: 4, maxWaiting: 1_000 } as const;
/** Shortest time between two reports of lost notifications (ms). */
const BETWEEN_REPORTS_MS = 60_000;

interface NoticeParts extends Partial<Omit<SendingParts, 'now'>>, Clock {
  /** Called with a sentence about notifications that were lost, at most once a minute. */
  readonly onFailure: (message: string) => void;
  /** Time to deliver what waits when the server stops (ms). */
  readonly closeMs: number;
  readonly maxWaiting?: number;
}

/** The notification about a call that a rule with the effect `notify` has allowed; null for other calls. */
export function noticeOf({ call, error }: FinishedCall): Omit<OutgoingMessage, 'until'> | null {
  const { id, caller, decisions, now } = call;
  const { policy, run: run_id } = decisions;
  if (policy?.effect !== 'notify') return null;
  const { tool, rule } = policy;
  const { principal, agent } = caller;
  const data = { tool, principal, agent, rule, run_id, tool_call_id: id, error_code: error?.code ?? null };
  const timestamp = new Date(now()).toISOString();
  return { id: `call_${id}`, body: JSON.stringify({ type: 'call.notified', timestamp, data }) };
}

/** Notifies another system of calls that a rule with the effect `notify` has allowed. Calls do not wait for it. */
export class CallNotices {
  private readonly queue: WebhookQueue;
  private lost = 0;
  private reportedAt = -Infinity;

  /** @param config  with a URL and a secret */
  constructor(
    config: Pick<ApprovalWebhookConfig, 'url' | 'secret'>,
    private readonly parts: NoticeParts,
  ) {
    this.queue = new WebhookQueue(config, { pausesMs: PAUSES_MS, ...LIMITS, ...parts });
  }

  /** Sends the notification of a finished call in the background, if a rule asks for it. */
  observe(finished: FinishedCall): void {
    const notice = noticeOf(finished);
    if (notice === null) return;
    const message = { ...notice, until: Infinity };
    this.queue.add({ message, onLost: (problem) => this.lose(problem) });
  }

  /** Tries once to deliver what waits, for a short time. */
  async close(): Promise<void> {
    await this.queue.close(this.parts.closeMs);
    if (this.lost > 0) this.report('the server stops');
  }

  private lose(problem: string): void {
    this.lost++;
    if (this.parts.steady() - this.reportedAt >= BETWEEN_REPORTS_MS) this.report(problem);
  }

  private report(problem: string): void {
    this.parts.onFailure(`notifications of calls that were lost: ${this.lost}; the last reason: ${problem}`);
    this.reportedAt = this.parts.steady();
    this.lost = 0;
  }
}
