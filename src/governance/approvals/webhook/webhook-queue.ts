import type { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import { type OutgoingMessage, type SendingParts, WebhookSender } from './send-webhook.js';

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
