import type { Clock } from '../../../core/turns/clock.js';
import { isSignedWebhook, type WebhookMessage } from './webhook-signature.js';

/** How much older or newer than now a message may be (ms). Standard Webhooks recommends five minutes. */
const TOLERANCE_MS = 300_000;
/**
 * Ids that are remembered; more messages in ten minutes are refused. Older ones are forgotten only to make room, because
 * a clock that steps back makes their messages recent again.
 */
const MAX_IDS = 10_000;
const ID = /^[\x21-\x7e]{1,256}$/;
const TIMESTAMP = /^\d{1,12}$/;

/** The parts of a request that are checked. Missing headers are ''. */
export interface SignedRequest {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
}

/** Why a message is refused: its signature, its time, the same id before, or too many messages. */
export type WebhookRefusal = 'not_signed' | 'too_old' | 'repeated' | 'too_many';

/** Accepts each signed message once. */
export class WebhookInbox {
  /** When each id was accepted, oldest first (steady ms). */
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  /** Accepts a message and remembers its id. @returns null if it is accepted */
  accept(request: SignedRequest): WebhookRefusal | null {
    const { id, timestamp, signature, body } = request;
    const message: WebhookMessage = { id, timestamp: Number(timestamp), body };
    const isWellFormed = ID.test(id) && TIMESTAMP.test(timestamp);
    if (!isWellFormed || !isSignedWebhook(message, signature, this.secret)) return 'not_signed';
    const { now, steady } = this.clock;
    if (Math.abs(now() - message.timestamp * 1_000) > TOLERANCE_MS) return 'too_old';
    if (this.seen.has(id)) return 'repeated';
    const at = steady();
    if (this.seen.size >= MAX_IDS) this.forgetBefore(at - 2 * TOLERANCE_MS);
    if (this.seen.size >= MAX_IDS) return 'too_many';
    this.seen.set(id, at);
    return null;
  }

  /** Forgets an id, so that a message that could not be processed may be sent again. */
  forget(id: string): void {
    this.seen.delete(id);
  }

  private forgetBefore(time: number): void {
    for (const [id, at] of this.seen) {
      if (at >= time) return;
      this.seen.delete(id);
    }
  }
}
